// SPDX-License-Identifier: MIT
/* What tests/guest/trampolines.inc must know of ARM. */
#pragma once

#define PROBE_GENERAL	13	/* words of r0 to r12 */
#define PROBE_SP	13
#define PROBE_LR	14
#define PROBE_FLAGS	15
#define PROBE_WORDS	16

#ifndef __ASSEMBLY__
#include <asm/ptrace.h>

#define PROBE_FLAGS_MASK	0xf0000000UL	/* NZCV */
#define PROBE_STACK_ALIGN	8
#define PROBE_ARGUMENTS		4	/* in registers */

#ifdef FLAVOUR_pg
#define PROBE_FUNCTION_BYTES	4	/* frame of probe_function(): off by 4 */
#else
#define PROBE_FUNCTION_BYTES	0
#endif

/* Does this register come through a trampoline? */
static inline bool probe_is_kept(unsigned int word)
{
	return true;
}

static inline bool probe_is_callee_saved(unsigned int word)
{
	return word >= 4 && word <= 11;
}

/* Is what an op writes there taken over? */
static inline bool probe_is_changeable(unsigned int word)
{
	return true;
}

/* The place of a probe's word in pt_regs. */
static inline unsigned long *probe_slot(struct pt_regs *regs, unsigned int word)
{
	if (word == PROBE_SP)
		return &regs->sp;
	if (word == PROBE_LR)
		return &regs->lr;
	return word == PROBE_FLAGS ? &regs->cpsr : &regs->r[word];
}

/* Instructions of a trampoline: the last one returns and takes the frame down. */
static inline unsigned int probe_code_words(unsigned int body_end, bool regs)
{
	return body_end / 4;
}

/* Is the word at @addr a constant that the function's code loads? */
static inline bool probe_is_constant(unsigned long start, unsigned long end, unsigned long addr)
{
	for (unsigned long pc = start; pc < end; pc += 4) {
		unsigned int insn = *(const unsigned int *)pc;

		if ((insn & 0x0fff0000) == 0x059f0000 && pc + 8 + (insn & 0xfff) == addr)
			return true;
	}
	return false;
}

/* blx ip */
#define PROBE_CALL_BY_REGISTER	0xe12fff3cu
#endif
