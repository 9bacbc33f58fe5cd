// SPDX-License-Identifier: MIT
/* Users of the function graph that count the calls of what calling conventions are tested with. */
#include "tests/guest/calls.h"
#include "tests/guest/spoil.h"

#include "core/fgraph.h"

static struct calls_user {
	struct fgraph_ops graph;
	unsigned long entries, returns;
} users[CALLS_MAX_USERS];

static notrace int count_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	container_of(gops, struct calls_user, graph)->entries++;
	spoil_registers();
	return 1;
}

static notrace void count_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	container_of(gops, struct calls_user, graph)->returns++;
	spoil_registers();
}

bool calls_graph_on(unsigned int nr, const char *filter)
{
	bool right = true;

	for (unsigned int i = 0; i < nr; i++) {
		struct fgraph_ops *graph = &users[i].graph;

		users[i] = (struct calls_user){ .graph = { .entryfunc = count_entry, .retfunc = count_return } };
		right &= ftrace_set_filter(&graph->ops, filter, true) > 0 && !register_ftrace_graph(graph);
	}
	return right;
}

unsigned int calls_graph_off(unsigned int nr, unsigned long calls)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < nr; i++) {
		wrong += unregister_ftrace_graph(&users[i].graph) || users[i].entries != calls ||
			 users[i].returns != calls;
		ftrace_free_filter(&users[i].graph.ops);
	}
	return wrong;
}
