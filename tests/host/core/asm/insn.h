// SPDX-License-Identifier: MIT
/* The pretended ISA of core's host tests: sizes only, text is never touched. */
#pragma once

#define ARCH_INSN_BYTES		4
#define ARCH_BREAKPOINT_BYTES	4
#define ARCH_SITE_POKES		1

int sched_yield(void);

static inline void arch_relax(void)
{
	sched_yield();
}
