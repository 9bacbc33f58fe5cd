// SPDX-License-Identifier: MIT
/*
 * The recording ISA of the host's tests: instructions of five bytes, breakpoints
 * of one, sites of one or of two instructions.
 */
#pragma once

#include "base/types.h"

#define ARCH_INSN_BYTES		5
#define ARCH_BREAKPOINT_BYTES	1
#define ARCH_SITE_BYTES		5	/* or twice that */
#define ARCH_SITE_POKES		2
#define ARCH_FLUSH_CACHE_OPS	1
#define ARCH_BRANCH_REACH	0x7fffUL
#define ARCH_TEXT_METHODS	\
	&text_poke_breakpoint, &text_poke_nosync, &text_poke_stop, &text_poke_local, &text_poke_atomic

int sched_yield(void);

static inline void arch_relax(void)
{
	sched_yield();
}

static inline bool arch_text_crosses(unsigned long addr, unsigned int len)
{
	return (addr & 7) + len > 8;
}

static inline bool arch_site_crosses(unsigned long ip)
{
	return arch_text_crosses(ip, ARCH_INSN_BYTES);
}
