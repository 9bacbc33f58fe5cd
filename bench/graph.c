// SPDX-License-Identifier: MIT
/*
 * What a hooked return costs: the function graph with handlers that do nothing.
 *
 * Each row is run twice with the same registration: with counting handlers, of
 * which every one is checked, then timed with empty ones. A count that is off, or a
 * timed call without its frame, ends the benchmark without a number.
 */
#include "base/print.h"
#include "bench/bench.h"
#include "bench/callbacks.h"
#include "bench/design.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "core/dispatch.h"
#include "core/fgraph.h"
#include "kernel/cmdline.h"

#define MAX_USERS	4

enum hook { HOOK_NOSITE, HOOK_NONE, HOOK_ENTRY, HOOK_GRAPH };
static const char *const hook_names[] = { "nosite", "none", "graph_entry", "graph" };

struct row {
	const char *label;
	enum hook hook;
	unsigned int users;
};

static const struct row table[] = {
	{ "untraced, no site",		HOOK_NOSITE, 0 },
	{ "site off",			HOOK_NONE, 0 },
	{ "entry alone",		HOOK_ENTRY, 1 },
	{ "entry + exit",		HOOK_GRAPH, 1 },
	{ "entry + exit, 2 users",	HOOK_GRAPH, 2 },
	{ "entry + exit, 4 users",	HOOK_GRAPH, 4 },
};

static struct counting_graph users[MAX_USERS];

static int drop_users(unsigned int nr)
{
	int err = 0;

	while (nr--) {
		int e = unregister_ftrace_graph(&users[nr].graph);

		if (e)
			err = e;
		ftrace_free_filter(&users[nr].graph.ops);
	}
	return err;
}

static int register_one(struct counting_graph *user, const struct row *row, bool counting)
{
	int err;

	*user = (struct counting_graph){ .graph.ops.name = "graph" };
	user->graph.entryfunc = counting ? graph_entry_count : graph_entry_nop;
	if (row->hook == HOOK_GRAPH)
		user->graph.retfunc = counting ? graph_return_count : graph_return_nop;
	err = ftrace_set_filter_ip(&user->graph.ops, (unsigned long)tracee_relevant, false, true);
	return err ? err : register_ftrace_graph(&user->graph);
}

static int register_users(const struct row *row, bool counting)
{
	for (unsigned int i = 0; i < row->users; i++) {
		int err = register_one(&users[i], row, counting);

		if (!err)
			continue;
		pr_err("cannot register user %u of %u: error %d\n", i + 1, row->users, err);
		ftrace_free_filter(&users[i].graph.ops);
		if (drop_users(i))
			pr_err("and not all could be unregistered\n");
		return err;
	}
	return 0;
}

/* Did every user see every call, and its return when it asked for it? */
static int check_counts(const struct row *row, unsigned long nr_calls)
{
	unsigned long returns = row->hook == HOOK_GRAPH ? nr_calls : 0;

	for (unsigned int i = 0; i < row->users; i++) {
		if (users[i].entries == nr_calls && users[i].returns == returns)
			continue;
		pr_err("user %u saw %lu calls and %lu returns, expected %lu and %lu\n",
		       i, users[i].entries, users[i].returns, nr_calls, returns);
		return 1;
	}
	return 0;
}

static tracee_fn tracee_of(const struct row *row)
{
	return row->hook == HOOK_NOSITE ? tracee_nosite : tracee_relevant;
}

static int count_row(const struct row *row, unsigned long nr_calls)
{
	int err = register_users(row, true);

	if (err)
		return err;
	call_loop(tracee_of(row), nr_calls);
	err = check_counts(row, nr_calls);
	return drop_users(row->users) || err;
}

/* Frames that were not made, or not closed by a return. */
static unsigned long nr_irregular(void)
{
	struct fgraph_stats s;

	fgraph_stats(&s);
	return s.overflow + s.no_stack + s.abandoned + s.closed_early;
}

static int measure_row(const struct row *row, unsigned long nr_calls, struct figure *figure)
{
	unsigned long before = nr_irregular(), after;

	if (register_users(row, false))
		return 1;
	*figure = measure_calls(tracee_of(row), nr_calls);
	after = nr_irregular();
	if (after != before)
		pr_err("%lu calls had no frame, or one that no return closed\n", after - before);
	return drop_users(row->users) || after != before;
}

static void print_row(const struct row *row, const struct figure *figure)
{
	char median[24];
	const struct result_param params[] = {
		{ "hook", hook_names[row->hook], 0 },
		{ "users", NULL, row->users },
		{ "dispatch", dispatch_current()->name, 0 },
		{ NULL, NULL, 0 },
	};

	pr_info("graph: %-24s %10s %s / call\n", row->label,
		hundredths(median, sizeof(median), figure->median), measured_unit());
	result_print("graph", params, measured_metric(), measured_unit(), figure);
}

/* Of all calls since boot; none of the benchmark's is among them. */
static void print_counters(void)
{
	struct fgraph_stats s;

	fgraph_stats(&s);
	pr_info("graph: %u shadow stacks; calls without a frame: %lu too deep, %lu without stack; "
		"frames left behind: %lu, closed early: %lu\n",
		s.stacks, s.overflow, s.no_stack, s.abandoned, s.closed_early);
}

static int bench_graph(void)
{
	unsigned long nr_calls = cmdline_number("nr_function_calls", 100000, 1, 100000000);
	struct figure figure;

	if (!arch_fgraph_supported()) {
		pr_err("graph: call sites of flavour %s do not let a return be hooked\n", arch_site_flavour);
		return 1;
	}
	if (choose_design())
		return 1;
	for (const struct row *row = table; row < table + ARRAY_SIZE(table); row++) {
		if (count_row(row, nr_calls) || measure_row(row, nr_calls, &figure))
			return 1;
		print_row(row, &figure);
	}
	print_counters();
	return 0;
}

DEFINE_BENCH(graph, bench_graph, "nr_function_calls", "dispatch");
