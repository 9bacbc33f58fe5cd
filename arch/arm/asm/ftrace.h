// SPDX-License-Identifier: MIT
/*
 * What a callback may ask of the call it was made for.
 *
 * The pointer that a callback gets is the save area of its trampoline, so that
 * making it costs one instruction. Bit 0 says that the area is a struct
 * pt_regs; else it is a struct arm_partial_regs, but for bit 1.
 */
#pragma once

#include "base/types.h"
#include <asm/ptrace.h>

struct ftrace_regs;

#define FTRACE_REGS_FULL	1UL	/* bits of the pointer */
#define FTRACE_REGS_GRAPH	2UL	/* of the function graph: parent and site_end changed places */

/* Lowest address first; one ldm takes it down and returns behind the site. */
struct arm_partial_regs {
	unsigned long r[5];	/* r4 fills the frame to 8 bytes */
	unsigned long ip;	/* r12: static chain of a nested function */
	unsigned long parent;	/* return address into the caller */
	unsigned long site_end;	/* address behind the site */
};

static inline struct arm_partial_regs *ftrace_regs_partial(const struct ftrace_regs *fregs)
{
	return (struct arm_partial_regs *)((unsigned long)fregs & ~FTRACE_REGS_GRAPH);
}

static inline bool ftrace_regs_full(const struct ftrace_regs *fregs)
{
	return (unsigned long)fregs & FTRACE_REGS_FULL;
}

/**
 * ftrace_get_regs() - every register behind the site
 * @fregs: what the callback got
 *
 * See core/ftrace.h. What the callback writes to general registers but sp, and to the
 * flags of cpsr, is what the function goes on with; lr is the return address into the caller. Return: NULL without
 * SAVE_REGS.
 */
static inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	if (!ftrace_regs_full(fregs))
		return NULL;
	return (struct pt_regs *)((unsigned long)fregs & ~FTRACE_REGS_FULL);
}

/* Stack pointer at the site; pfe: as the caller left it. */
static inline unsigned long ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	if (ftrace_regs_full(fregs))
		return ftrace_get_regs((struct ftrace_regs *)fregs)->sp;
	return (unsigned long)(ftrace_regs_partial(fregs) + 1);
}

/* Where the return address into the caller is while a callback runs: what it writes is what counts. */
static inline unsigned long *ftrace_regs_parent_slot(struct ftrace_regs *fregs)
{
	if (ftrace_regs_full(fregs))
		return &ftrace_get_regs(fregs)->lr;
	if ((unsigned long)fregs & FTRACE_REGS_GRAPH)
		return &ftrace_regs_partial(fregs)->site_end;
	return &ftrace_regs_partial(fregs)->parent;
}

static inline unsigned long ftrace_regs_get_return_address(const struct ftrace_regs *fregs)
{
	return *ftrace_regs_parent_slot((struct ftrace_regs *)fregs);
}

/*
 * The n-th word of arguments, from registers or from the caller's stack; pg: the
 * site lies behind the prologue, from where the stack's arguments are not known: 0.
 */
static inline unsigned long ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	if (n < 4 && ftrace_regs_full(fregs))
		return ftrace_get_regs((struct ftrace_regs *)fregs)->r[n];
	if (n < 4)
		return ftrace_regs_partial(fregs)->r[n];
#ifdef FLAVOUR_pg
	return 0;
#else
	return ((unsigned long *)ftrace_regs_get_stack_pointer(fregs))[n - 4];
#endif
}

/**
 * ftrace_regs_set_instruction_pointer() - where the function goes on
 * @fregs: what the callback got
 * @ip: code that is entered as the function was, with its arguments and its caller
 *
 * For ops with FTRACE_OPS_FL_IPMODIFY alone.
 */
static inline void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long ip)
{
	if (ftrace_regs_full(fregs))
		ftrace_get_regs(fregs)->pc = ip;
	else
		((struct arm_partial_regs *)ftrace_regs_partial(fregs))->site_end = ip;
}
