// SPDX-License-Identifier: MIT
/* What tests/guest/trampolines.inc must know of arm64. */
#pragma once

#define PROBE_GENERAL	29	/* words of x0 to x28 */
#define PROBE_FP	29
#define PROBE_LR	30
#define PROBE_SP	31
#define PROBE_FLAGS	32
#define PROBE_WORDS	33

#ifndef __ASSEMBLY__
#include <asm/ptrace.h>

#define PROBE_FLAGS_MASK	0xf0000000UL	/* NZCV */
#define PROBE_STACK_ALIGN	16
#define PROBE_ARGUMENTS		8	/* in registers */

#ifdef FLAVOUR_pg
#define PROBE_FUNCTION_BYTES	16	/* frame of probe_function() */
#else
#define PROBE_FUNCTION_BYTES	0
#endif

/* Does this register come through a trampoline? */
static inline bool probe_is_kept(unsigned int word)
{
#ifdef FLAVOUR_pg	/* a call in the body: what any call keeps, and the static chain */
	return word >= 18;
#else
	return word <= 8 || word >= 18;
#endif
}

static inline bool probe_is_callee_saved(unsigned int word)
{
	return word >= 18;
}

/* Is what an op writes there taken over? A host may use x18 as it likes. */
static inline bool probe_is_changeable(unsigned int word)
{
	return probe_is_kept(word) && word != 18;
}

/* The place of a probe's word in pt_regs. */
static inline unsigned long *probe_slot(struct pt_regs *regs, unsigned int word)
{
	if (word == PROBE_SP)
		return &regs->sp;
	return word == PROBE_FLAGS ? &regs->pstate : &regs->x[word];
}

/* Instructions of a trampoline: behind its body come ret, and add sp with all registers. */
static inline unsigned int probe_code_words(unsigned int body_end, bool regs)
{
	return body_end / 4 + (regs ? 2 : 1);
}

/* Is the word at @addr a constant that the function's code loads? Such lie elsewhere. */
static inline bool probe_is_constant(unsigned long start, unsigned long end, unsigned long addr)
{
	return false;
}

/* blr x16 */
#define PROBE_CALL_BY_REGISTER	0xd63f0200u
#endif
