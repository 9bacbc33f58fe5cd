// SPDX-License-Identifier: MIT
/* What a callback gets in core's host tests: whether its trampoline saves all registers. */
#pragma once

#include "base/types.h"
#include <asm/ptrace.h>

struct ftrace_regs {
	bool full;
	struct pt_regs regs;
	unsigned long sp, parent;
};

static inline unsigned long ftrace_regs_get_stack_pointer(const struct ftrace_regs *fregs)
{
	return fregs->sp;
}

static inline unsigned long *ftrace_regs_parent_slot(struct ftrace_regs *fregs)
{
	return &fregs->parent;
}

static inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return fregs->full ? &fregs->regs : NULL;
}
