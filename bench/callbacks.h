// SPDX-License-Identifier: MIT
/* The ops of the benchmarks: one that only returns, one that counts. */
#pragma once

#include "core/fgraph.h"
#include "core/ftrace.h"

struct counting_ops {
	struct ftrace_ops ops;
	unsigned long count;
};

void callback_nop(unsigned long ip, unsigned long parent_ip,
		  struct ftrace_ops *op, struct ftrace_regs *fregs);
void callback_count(unsigned long ip, unsigned long parent_ip,
		    struct ftrace_ops *op, struct ftrace_regs *fregs);

struct counting_graph {
	struct fgraph_ops graph;
	unsigned long entries, returns;
};

int graph_entry_nop(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs);
void graph_return_nop(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);
int graph_entry_count(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs);
void graph_return_count(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);
