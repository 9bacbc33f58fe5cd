// SPDX-License-Identifier: MIT
/*
 * What a function hook costs: Linux's ftrace-ops sample as a benchmark.
 *
 * Relevant ops hook the function that is called in the loop, irrelevant ones
 * another. With none of the parameters given, the default table; with any, one
 * run of just that, with the sample's own lines.
 *
 * Each row is run twice with the same registration: with counting ops, of which
 * every one is checked, then timed. A count that is off ends the benchmark
 * without a number.
 */
#include <stdlib.h>

#include "base/print.h"
#include "base/string.h"
#include "bench/bench.h"
#include "bench/callbacks.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "core/dispatch.h"
#include "kernel/cmdline.h"
#include "kernel/thread.h"

#define MAX_OPS	10000

enum hook { HOOK_NOSITE, HOOK_NONE, HOOK_C, HOOK_COUNT };
static const char *const hook_names[] = { "nosite", "none", "c", "count" };

struct row {
	const char *label;
	enum hook hook;
	unsigned int relevant, irrelevant;
	bool save_regs, recursion, rcu;
};

static const struct row default_table[] = {
	{ "untraced, no site",		HOOK_NOSITE },
	{ "site off",			HOOK_NONE },
	{ "1 op",			HOOK_C, 1 },
	{ "1 op + 5 irrelevant",	HOOK_C, 1, 5 },
	{ "1 op + 100 irrelevant",	HOOK_C, 1, 100 },
	{ "2 ops",			HOOK_C, 2 },
	{ "10 ops",			HOOK_C, 10 },
	{ "100 ops",			HOOK_C, 100 },
	{ "1 op, all registers",	HOOK_C, 1, .save_regs = true },
	{ "1 op, recursion assist",	HOOK_C, 1, .recursion = true },
	{ "1 op, RCU assist",		HOOK_C, 1, .rcu = true },
	{ "1 counting op",		HOOK_COUNT, 1 },
};

static unsigned int flags_of(const struct row *row)
{
	return (row->save_regs ? FTRACE_OPS_FL_SAVE_REGS : 0) |
	       (row->recursion ? FTRACE_OPS_FL_RECURSION : 0) |
	       (row->rcu ? FTRACE_OPS_FL_RCU : 0);
}

static int register_one(struct counting_ops *op, const struct row *row,
			ftrace_func_t func, tracee_fn tracee)
{
	int err;

	op->ops.func = func;
	op->ops.flags = flags_of(row);
	op->ops.name = tracee == tracee_relevant ? "relevant" : "irrelevant";
	err = ftrace_set_filter_ip(&op->ops, (unsigned long)tracee, false, true);
	if (err)
		return err;
	return register_ftrace_function(&op->ops);
}

/* Unregister the first @nr and free all. */
static int drop_ops(struct counting_ops *ops, unsigned int nr)
{
	int err = 0;

	while (nr--) {
		int e = unregister_ftrace_function(&ops[nr].ops);

		if (e)
			err = e;
		ftrace_free_filter(&ops[nr].ops);
	}
	free(ops);
	return err;
}

/* All ops of a row: the relevant ones first. NULL with the reason printed. */
static struct counting_ops *register_row(const struct row *row, ftrace_func_t func)
{
	unsigned int nr = row->relevant + row->irrelevant;
	struct counting_ops *ops = calloc(nr ? nr : 1, sizeof(*ops));

	if (!ops) {
		pr_err("no memory for %u ops\n", nr);
		return NULL;
	}
	for (unsigned int i = 0; i < nr; i++) {
		tracee_fn tracee = i < row->relevant ? tracee_relevant : tracee_irrelevant;
		int err = register_one(&ops[i], row, func, tracee);

		if (err) {
			pr_err("cannot register op %u of %u: error %d\n", i + 1, nr, err);
			ftrace_free_filter(&ops[i].ops);
			if (drop_ops(ops, i))
				pr_err("and not all could be unregistered\n");
			return NULL;
		}
	}
	return ops;
}

/* Did every relevant op see every call, and no irrelevant one any? */
static int check_counts(const struct counting_ops *ops, const struct row *row, unsigned long nr_calls)
{
	for (unsigned int i = 0; i < row->relevant + row->irrelevant; i++) {
		unsigned long expected = i < row->relevant ? nr_calls : 0;

		if (ops[i].count != expected) {
			pr_err("op %u (%s) saw %lu calls, expected %lu\n",
			       i, ops[i].ops.name, ops[i].count, expected);
			return 1;
		}
	}
	return 0;
}

static tracee_fn tracee_of(const struct row *row)
{
	return row->hook == HOOK_NOSITE ? tracee_nosite : tracee_relevant;
}

static int count_row(const struct row *row, unsigned long nr_calls)
{
	struct counting_ops *ops = register_row(row, callback_count);
	int err;

	if (!ops)
		return 1;
	call_loop(tracee_of(row), nr_calls);
	err = check_counts(ops, row, nr_calls);
	return drop_ops(ops, row->relevant + row->irrelevant) || err;
}

static int measure_row(const struct row *row, unsigned long nr_calls, struct figure *figure)
{
	bool counting = row->hook == HOOK_COUNT;
	struct counting_ops *ops = register_row(row, counting ? callback_count : callback_nop);
	int err = 0;

	if (!ops)
		return 1;
	*figure = measure_calls(tracee_of(row), nr_calls);
	if (counting)
		err = check_counts(ops, row, nr_calls * (MEASURE_SAMPLES + 1));
	return drop_ops(ops, row->relevant + row->irrelevant) || err;
}

static void print_row(const struct row *row, const struct figure *figure)
{
	char median[24], low[24], high[24];
	const struct result_param params[] = {
		{ "hook", hook_names[row->hook], 0 },
		{ "relevant", NULL, row->relevant },
		{ "irrelevant", NULL, row->irrelevant },
		{ "save_regs", NULL, row->save_regs },
		{ "recursion", NULL, row->recursion },
		{ "rcu", NULL, row->rcu },
		{ "dispatch", dispatch_current()->name, 0 },
		{ NULL, NULL, 0 },
	};

	pr_info("ops: %-24s %10s %s / call (min %s, max %s)\n", row->label,
		hundredths(median, sizeof(median), figure->median), measured_unit(),
		hundredths(low, sizeof(low), figure->min),
		hundredths(high, sizeof(high), figure->max));
	result_print("ops", params, measured_metric(), measured_unit(), figure);
}

static int run_table(unsigned long nr_calls)
{
	pr_info("ops: dispatch %s\n", dispatch_current()->name);
	for (const struct row *row = default_table; row < default_table + ARRAY_SIZE(default_table); row++) {
		struct figure figure;

		if (count_row(row, nr_calls) || measure_row(row, nr_calls, &figure))
			return 1;
		print_row(row, &figure);
	}
	return 0;
}

static const char *yes_no(bool yes)
{
	return yes ? "YES" : "NO";
}

static void print_registering(const struct row *row, ftrace_func_t func)
{
	struct kallsym relevant, irrelevant, tracer;

	if (!kallsyms_lookup((unsigned long)tracee_relevant, &relevant) ||
	    !kallsyms_lookup((unsigned long)tracee_irrelevant, &irrelevant) ||
	    !kallsyms_lookup((unsigned long)func, &tracer))
		return;
	pr_info("ftrace_ops: registering:\n"
		"ftrace_ops:   relevant ops: %u\n"
		"ftrace_ops:     tracee: %s [bench]\n"
		"ftrace_ops:     tracer: %s [bench]\n", row->relevant, relevant.name, tracer.name);
	pr_info("ftrace_ops:   irrelevant ops: %u\n"
		"ftrace_ops:     tracee: %s [bench]\n"
		"ftrace_ops:     tracer: %s [bench]\n", row->irrelevant, irrelevant.name, tracer.name);
	pr_info("ftrace_ops:   saving registers: %s\n"
		"ftrace_ops:   assist recursion: %s\n"
		"ftrace_ops:   assist RCU: %s\n",
		yes_no(row->save_regs), yes_no(row->recursion), yes_no(row->rcu));
}

static __noreturn void idle_forever(void)
{
	for (;;)
		thread_sleep_ms(1000);
}

/* One run, as the sample does it: with check_count the counting ops are the timed ones. */
static int run_single(const struct row *row, unsigned long nr_calls, bool check_count, bool persist)
{
	ftrace_func_t func = check_count ? callback_count : callback_nop;
	struct counting_ops *ops;
	u64 ns;
	int err = 0;

	print_registering(row, func);
	ops = register_row(row, func);
	if (!ops)
		return 1;
	ns = time_calls(tracee_relevant, nr_calls);
	pr_info("ftrace_ops: Attempted %lu calls to tracee_relevant [bench] in %lluns (%lluns / call)\n",
		nr_calls, (unsigned long long)ns, (unsigned long long)(ns / nr_calls));
	if (check_count)
		err = check_counts(ops, row, nr_calls);
	if (persist && !err) {
		pr_info("ftrace_ops: ops stay registered; idle\n");
		idle_forever();
	}
	return drop_ops(ops, row->relevant + row->irrelevant) || err;
}

/* The design that `dispatch=` names; the default one without it. */
static int choose_design(void)
{
	const char *name = cmdline_get("dispatch", NULL);

	if (!name || !dispatch_select(name))
		return 0;
	pr_err("dispatch=%s: it is set or list\n", name);
	return 1;
}

/* Both designs, or the one that was asked for. */
static int run_tables(unsigned long nr_calls)
{
	if (cmdline_get("dispatch", NULL))
		return run_table(nr_calls);
	return run_table(nr_calls) || dispatch_select("list") || run_table(nr_calls);
}

static bool any_single_parameter(void)
{
	static const char *const keys[] = {
		"nr_ops_relevant", "nr_ops_irrelevant", "save_regs",
		"assist_recursion", "assist_rcu", "check_count", "persist",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(keys); i++)
		if (cmdline_get(keys[i], NULL))
			return true;
	return false;
}

static int bench_ops(void)
{
	unsigned long nr_calls = cmdline_number("nr_function_calls", 100000, 1, 100000000);
	struct row row = { .hook = HOOK_C };
	bool check_count, persist;

	if (choose_design())
		return 1;
	if (!any_single_parameter())
		return run_tables(nr_calls);
	row.relevant = (unsigned int)cmdline_number("nr_ops_relevant", 1, 0, MAX_OPS);
	row.irrelevant = (unsigned int)cmdline_number("nr_ops_irrelevant", 0, 0, MAX_OPS);
	row.save_regs = cmdline_number("save_regs", 0, 0, 1);
	row.recursion = cmdline_number("assist_recursion", 0, 0, 1);
	row.rcu = cmdline_number("assist_rcu", 0, 0, 1);
	check_count = cmdline_number("check_count", 0, 0, 1);
	persist = cmdline_number("persist", 0, 0, 1);
	return run_single(&row, nr_calls, check_count, persist);
}

DEFINE_BENCH(ops, bench_ops);
