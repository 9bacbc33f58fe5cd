// SPDX-License-Identifier: MIT
/* The ops of the benchmarks: one that only returns, one that counts. */
#pragma once

#include "core/ftrace.h"

struct counting_ops {
	struct ftrace_ops ops;
	unsigned long count;
};

void callback_nop(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs);
void callback_count(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs);
