// SPDX-License-Identifier: MIT
/*
 * Backtraces: through functions, trampolines (from the code pool's
 * descriptors) and the entry code of interrupts and faults.
 */
#pragma once

#include "base/types.h"
#include "arch/arch.h"
#include "core/fgraph.h"

struct stacktrace {
	struct unwind_frame frame;
	struct fgraph_cursor graph;
	unsigned long pending;	/* parent to visit next, after a trampoline */
	bool first;
	bool exact;		/* pc is where a context was interrupted, not a return address */
	bool done;
};

/* Start at an interrupted context, or here when @regs is NULL. */
void stacktrace_start(struct stacktrace *st, const struct pt_regs *regs);

/**
 * stacktrace_next() - the next pc, innermost first
 * @st: the walk
 * @pc: out
 *
 * Return: false at the end. Any context.
 */
bool stacktrace_next(struct stacktrace *st, unsigned long *pc);

/**
 * stacktrace_find() - is one of these addresses on the stack?
 * @st: a walk that was started
 * @is_it: the test
 * @arg: handed to it
 *
 * Asks for each pc. Where the walk cannot go on (code without unwind tables or frame
 * pointers), for each word of the stack from there to its end: an address that is left
 * over from a call that has ended may be taken for one. What is missed are the callers of code
 * that has neither, but leaves its caller's frame pointer in place. Any context.
 */
bool stacktrace_find(struct stacktrace *st, bool (*is_it)(unsigned long addr, const void *arg),
		     const void *arg);

/* Print it, one "  name+0xoff/0xsize" a line, at most 32 lines. */
void stacktrace_print(const struct pt_regs *regs);
