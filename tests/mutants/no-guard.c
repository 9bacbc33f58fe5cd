// SPDX-License-Identifier: MIT
/* Mutant: an op that asked for the recursion guard is called from within itself, a few times. */
#include "core/dispatch.h"

void ops_call_assisted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs)
{
	static unsigned int depth;

	if (depth > 3)
		return;
	depth++;
	op->func(ip, parent_ip, op, fregs);
	depth--;
}
