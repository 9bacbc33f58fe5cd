// SPDX-License-Identifier: MIT
/*
 * What a callback may ask of the call it was made for.
 *
 * The pointer that a callback gets is the save area of its trampoline, so that
 * making it costs one instruction. Bit 0 says that the area is a struct
 * pt_regs; else it is a struct arm64_partial_regs.
 *
 * In the `pg` flavour the compiler has moved the arguments by the time the site
 * is reached: ip and parent are right, no argument is known.
 */
#pragma once

#include "base/types.h"
#include <asm/ptrace.h>

struct ftrace_regs;

#define FTRACE_REGS_FULL	1UL	/* bit of the pointer */

/* Lowest address first; fp and parent are a frame record. */
struct arm64_partial_regs {
	unsigned long fp;
	unsigned long parent;	/* return address into the caller */
	unsigned long x[9];	/* pg: only x8 is saved */
	unsigned long site_end;	/* address behind the site */
	unsigned long call[2];	/* ip and parent for the ops after the first */
};

static_assert(sizeof(struct arm64_partial_regs) == 112, "sp stays 16-byte aligned");
static_assert(offsetof(struct arm64_partial_regs, site_end) == offsetof(struct arm64_partial_regs, x[9]),
	      "stored as pairs");

static inline bool ftrace_regs_full(const struct ftrace_regs *fregs)
{
	return (unsigned long)fregs & FTRACE_REGS_FULL;
}

/**
 * ftrace_get_regs() - every register behind the site
 * @fregs: what the callback got
 *
 * See core/ftrace.h. x0 to x8, x19 to x30 and NZCV that the callback writes are what the
 * function goes on with; x30 is the return address into the caller. Return:
 * NULL without SAVE_REGS.
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
	return (unsigned long)((const struct arm64_partial_regs *)fregs + 1);
}

static inline unsigned long ftrace_regs_get_return_address(const struct ftrace_regs *fregs)
{
	if (ftrace_regs_full(fregs))
		return ftrace_get_regs((struct ftrace_regs *)fregs)->x[30];
	return ((const struct arm64_partial_regs *)fregs)->parent;
}

/* Where the return address into the caller is while a callback runs: what it writes is what counts. */
static inline unsigned long *ftrace_regs_parent_slot(struct ftrace_regs *fregs)
{
	if (ftrace_regs_full(fregs))
		return &ftrace_get_regs(fregs)->x[30];
	return &((struct arm64_partial_regs *)fregs)->parent;
}

/* The n-th integer argument, from registers or from the caller's stack; pg: 0, not known. */
static inline unsigned long ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
#ifdef FLAVOUR_pg
	return 0;
#else
	if (n >= 8)
		return ((unsigned long *)ftrace_regs_get_stack_pointer(fregs))[n - 8];
	if (ftrace_regs_full(fregs))
		return ftrace_get_regs((struct ftrace_regs *)fregs)->x[n];
	return ((const struct arm64_partial_regs *)fregs)->x[n];
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
		((struct arm64_partial_regs *)fregs)->site_end = ip;
}
