// SPDX-License-Identifier: MIT
/* Callbacks in a file of their own, so that no tracee or loop is compiled knowing them. */
#include "bench/callbacks.h"

notrace void callback_nop(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
}

notrace void callback_count(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	container_of(op, struct counting_ops, ops)->count++;
}
