// SPDX-License-Identifier: MIT
#include "tests/guest/crash_hooked.h"

#include "base/bug.h"
#include "core/fgraph.h"
#include "kernel/port.h"

static __attribute__((noipa)) unsigned long crash_inner(unsigned long x)
{
	return x + 1;
}

static __attribute__((noipa)) unsigned long crash_outer(unsigned long x)
{
	return crash_inner(x) + 1;
}

static notrace noinline void fault(void *address)
{
	(void)*(volatile int *)address;
}

/* Not a constant, so that the compiler has nothing to say about it. */
static void *bad_address = (void *)0x18;

static notrace void fault_in_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				      struct ftrace_regs *fregs)
{
	port_soft_irq(fault, bad_address);
	barrier();
}

void crash_callback(void)
{
	static struct ftrace_ops op = { .func = fault_in_callback, .name = "faulting_ops" };

	BUG_ON(ftrace_set_filter(&op, "crash_inner", true) != 1 || register_ftrace_function(&op));
	crash_outer(1);
	barrier();
}

static notrace int fault_at_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	if (ent->depth == 1)
		fault(gops->private);
	return 1;
}

static notrace void fault_at_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	fault(bad_address);
	barrier();
}

static void crash_in_graph(trace_func_graph_ent_t entry, trace_func_graph_ret_t ret)
{
	static struct fgraph_ops user = { .ops.name = "faulting_graph" };

	user.entryfunc = entry;
	user.retfunc = ret;
	user.private = bad_address;
	BUG_ON(ftrace_set_filter(&user.ops, "crash_inner", true) != 1 ||
	       ftrace_set_filter(&user.ops, "crash_outer", false) != 1 || register_ftrace_graph(&user));
	crash_outer(1);
	barrier();
}

void crash_graph(void)
{
	crash_in_graph(fault_at_entry, fault_at_return);
	barrier();
}

void crash_graph_return(void)
{
	crash_in_graph(NULL, fault_at_return);
	barrier();
}
