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

/* Print it, one "  name+0xoff/0xsize" a line, at most 32 lines. */
void stacktrace_print(const struct pt_regs *regs);
