// SPDX-License-Identifier: MIT
/* Sizes and limits of A32 instructions, for the code above arch/ that stores them. */
#pragma once

#include "base/types.h"

#define ARCH_INSN_BYTES		4
#define ARCH_BREAKPOINT_BYTES	4

/* What changes of a site: both words. */
#define ARCH_SITE_BYTES		8

/* Changes that move a site from one target to another, at most. */
#define ARCH_SITE_POKES		2
#define ARCH_FLUSH_CACHE_OPS	0

/* A branch at address a reaches [a + 8 - REACH, a + 8 + REACH). */
#define ARCH_BRANCH_REACH	(1UL << 25)

/* The methods that can change text here, best first; see patch/text_poke.h. */
#define ARCH_TEXT_METHODS	&text_poke_local, &text_poke_stop

/* In a loop that waits for another CPU. */
static inline void arch_relax(void)
{
	barrier();
}

/* An aligned word is one access. */
static inline bool arch_text_crosses(unsigned long addr, unsigned int len)
{
	return addr % ARCH_INSN_BYTES + len > ARCH_INSN_BYTES;
}

/* Sites are made of aligned words. */
static inline bool arch_site_crosses(unsigned long ip)
{
	return false;
}
