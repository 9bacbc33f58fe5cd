// SPDX-License-Identifier: MIT
/*
 * What a callback may ask of the call it was made for.
 *
 * The pointer that a callback gets is the save area of its trampoline, so that
 * making it costs one instruction. Bit 0 says that the area is a whole struct
 * pt_regs; the pointer then leads to its member r10, so that the argument
 * registers lie at the same offsets in both:
 *
 *	word    0    1   2   3   4   5   6   7  |  8       9
 *	partial r10  r9  r8  ax  cx  dx  si  di |  return  parent
 *
 *	word   -7 .. -1  0 .. 7         8      9      10  11  12     13  14 | 15      16
 *	full   r15..r11  as above       vector error  ip  cs  flags  sp  ss | return  parent
 *
 * A partial area is a multiple of 16; the function graph has bits of its own in 1 to 3.
 * return = address behind the site, parent = return address into the caller.
 * A full area's trampoline saves only what cannot be derived: ip, cs, sp and ss
 * are filled in by ftrace_get_regs(), and so is flags, from the word `vector`.
 */
#pragma once

#include "base/types.h"
#include <asm/ptrace.h>

struct ftrace_regs;

#define FTRACE_REGS_FULL	1UL	/* bit of the pointer */

/* Lowest address first. */
struct x86_partial_regs {
	unsigned long r10, r9, r8, ax, cx, dx, si, di;
	unsigned long site_end; /* address behind the site */
	unsigned long parent; /* return address into the caller */
};

static inline bool ftrace_regs_full(const struct ftrace_regs *fregs)
{
	return (unsigned long)fregs & FTRACE_REGS_FULL;
}

static inline unsigned long *ftrace_regs_words(const struct ftrace_regs *fregs)
{
	unsigned long bits = ftrace_regs_full(fregs) ? FTRACE_REGS_FULL : 15UL;

	return (unsigned long *)((unsigned long)fregs & ~bits);
}

/* Address of the word "return"; "parent" follows it. */
static inline unsigned long *ftrace_regs_return_slot(const struct ftrace_regs *fregs)
{
	unsigned int partial = offsetof(struct x86_partial_regs, site_end) / sizeof(unsigned long);

	return ftrace_regs_words(fregs) + (ftrace_regs_full(fregs) ? 15 : partial);
}

/* Stack pointer at the function's entry: it points at the return address into the caller. */
static inline unsigned long ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return (unsigned long)(ftrace_regs_return_slot(fregs) + 1);
}

static inline unsigned long ftrace_regs_get_return_address(const struct ftrace_regs *fregs)
{
	return ftrace_regs_return_slot(fregs)[1];
}

/* Where the return address into the caller is while a callback runs: what it writes is what counts. */
static inline unsigned long *ftrace_regs_parent_slot(struct ftrace_regs *fregs)
{
	return ftrace_regs_return_slot(fregs) + 1;
}

/* The n-th integer argument, from registers or from the caller's stack. */
static inline unsigned long ftrace_regs_get_argument(const struct ftrace_regs *fregs, unsigned int n)
{
	static const u8 word_of_argument[] = { 7, 6, 5, 4, 2, 1 };

	if (n < sizeof(word_of_argument))
		return ftrace_regs_words(fregs)[word_of_argument[n]];
	return ftrace_regs_return_slot(fregs)[2 + n - sizeof(word_of_argument)];
}

/**
 * ftrace_get_regs() - every register behind the site
 * @fregs: what the callback got
 *
 * See core/ftrace.h. What the callback writes to general registers is what the function
 * goes on with; sp and flags are for reading. Return: NULL without SAVE_REGS.
 */
static inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	unsigned long *words = ftrace_regs_words(fregs);
	struct pt_regs *regs = container_of(words, struct pt_regs, r10);

	if (!ftrace_regs_full(fregs))
		return NULL;
	regs->ip = words[15];
	regs->cs = X86_KERNEL_CS;
	regs->flags = regs->vector;
	regs->sp = (unsigned long)(words + 16);
	regs->ss = X86_KERNEL_SS;
	return regs;
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
	*ftrace_regs_return_slot(fregs) = ip;
}
