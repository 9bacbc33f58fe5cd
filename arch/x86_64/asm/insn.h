// SPDX-License-Identifier: MIT
/* Sizes and limits of x86-64's patchable instructions. */
#pragma once

#include "base/types.h"

#define ARCH_INSN_BYTES		5	/* nop5, call rel32, jmp rel32 */
#define ARCH_BREAKPOINT_BYTES	1	/* int3 */
#define X86_INT3		0xcc
#define X86_CALL		0xe8
#define X86_JUMP		0xe9
#define X86_NOP5		0x0f, 0x1f, 0x44, 0x00, 0x00
#define ARCH_SITE_BYTES		5	/* what changes of a site: all */
#define ARCH_SITE_POKES		1
#define ARCH_FLUSH_CACHE_OPS	0
#define ARCH_BRANCH_REACH	0x7fffffffUL	/* from the end of the instruction, forward */

/* The methods that can change text here, best first; see patch/text_poke.h. */
#define ARCH_TEXT_METHODS	&text_poke_breakpoint, &text_poke_stop, &text_poke_atomic

/* In a loop that waits for another CPU. */
static inline void arch_relax(void)
{
	__asm__ volatile("pause" : : : "memory");
}

/* Up to eight bytes within an aligned eight are one access. */
static inline bool arch_text_crosses(unsigned long addr, unsigned int len)
{
	return (addr & 7) + len > 8;
}

static inline bool arch_site_crosses(unsigned long ip)
{
	return arch_text_crosses(ip, ARCH_SITE_BYTES);
}
