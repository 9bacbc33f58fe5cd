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

notrace int graph_entry_nop(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
			    struct ftrace_regs *fregs)
{
	return 1;
}

notrace void graph_return_nop(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
}

notrace int graph_entry_count(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
			      struct ftrace_regs *fregs)
{
	container_of(gops, struct counting_graph, graph)->entries++;
	return 1;
}

notrace void graph_return_count(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	container_of(gops, struct counting_graph, graph)->returns++;
}
