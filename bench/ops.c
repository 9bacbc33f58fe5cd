// SPDX-License-Identifier: MIT
/*
 * What a function hook costs: Linux's ftrace-ops sample as a benchmark.
 *
 * Relevant ops hook the function that is called in the loop, irrelevant ones
 * another. With none of the parameters given, the table; with any, one run of just
 * that, with the sample's own lines.
 *
 * Each row is run twice with the same registration: with counting ops, of which
 * every one is checked, then timed. A count that is off, or a leaf that the site does
 * not call, ends the benchmark without a number.
 */
#include "base/errno.h"
#include "base/print.h"
#include "bench/bench.h"
#include "bench/callbacks.h"
#include "bench/design.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "core/dispatch.h"
#include "kernel/cmdline.h"
#include "kernel/main.h"

#include <stdlib.h>

#define MAX_OPS	10000

enum hook { HOOK_NOSITE, HOOK_NONE, HOOK_C, HOOK_COUNT, HOOK_LEAF, HOOK_LEAF_COUNT };
static const char *const hook_names[] = { "nosite", "none", "c", "count", "leaf", "leaf_count" };

struct row {
	enum hook hook;
	unsigned int relevant, irrelevant;
	bool save_regs, recursion, rcu;
};

/* Beside how many that hook something else: none of them may cost anything. */
#define BESIDE_FEW(relevant)	{ HOOK_C, relevant, 0 }, { HOOK_C, relevant, 1 }, { HOOK_C, relevant, 2 }
#define BESIDE_MANY(relevant)	{ HOOK_C, relevant, 10 }, { HOOK_C, relevant, 100 }

static const struct row table[] = {
	{ HOOK_NOSITE },
	{ HOOK_NONE },
	BESIDE_FEW(1), { HOOK_C, 1, 5 }, BESIDE_MANY(1),
	BESIDE_FEW(2), BESIDE_MANY(2),
	BESIDE_FEW(10), BESIDE_MANY(10),
	BESIDE_FEW(100), BESIDE_MANY(100),
	{ HOOK_C, 1, .save_regs = true },
	{ HOOK_C, 1, .recursion = true },
	{ HOOK_C, 1, .rcu = true },
	{ HOOK_COUNT, 1 },
	{ HOOK_LEAF, 1 },
	{ HOOK_LEAF_COUNT, 1 },
};

struct label {
	char text[40];
};

static struct label label_of(const struct row *row)
{
	static const char *const kinds[] = {
		[HOOK_C] = "",
		[HOOK_COUNT] = "counting ",
		[HOOK_LEAF] = "leaf ",
		[HOOK_LEAF_COUNT] = "leaf counting ",
	};
	struct label label;
	char others[24] = "";

	if (row->irrelevant)
		format(others, sizeof(others), " + %u irrelevant", row->irrelevant);
	if (row->hook <= HOOK_NONE)
		format(label.text, sizeof(label.text), "%s", row->hook == HOOK_NONE ? "site off" : "untraced, no site");
	else
		format(label.text, sizeof(label.text), "%u %sop%s%s%s%s%s", row->relevant, kinds[row->hook],
		       row->relevant == 1 ? "" : "s", others, row->save_regs ? ", all registers" : "",
		       row->recursion ? ", recursion assist" : "", row->rcu ? ", RCU assist" : "");
	return label;
}

static unsigned int flags_of(const struct row *row, enum hook hook)
{
	if (hook == HOOK_LEAF)
		return FTRACE_OPS_FL_LEAF;
	if (hook == HOOK_LEAF_COUNT)
		return FTRACE_OPS_FL_COUNT;
	return (row->save_regs ? FTRACE_OPS_FL_SAVE_REGS : 0) |
	       (row->recursion ? FTRACE_OPS_FL_RECURSION : 0) |
	       (row->rcu ? FTRACE_OPS_FL_RCU : 0);
}

static ftrace_func_t func_of(enum hook hook)
{
	if (hook == HOOK_LEAF)
		return (ftrace_func_t)(unsigned long)arch_leaf_return;
	if (hook == HOOK_LEAF_COUNT)
		return NULL;
	return hook == HOOK_COUNT ? callback_count : callback_nop;
}

static int prepare_one(struct counting_ops *op, const struct row *row, enum hook hook, tracee_fn tracee)
{
	op->ops.func = func_of(hook);
	op->ops.flags = flags_of(row, hook);
	op->ops.name = tracee == tracee_relevant ? "relevant" : "irrelevant";
	return ftrace_set_filter_ip(&op->ops, (unsigned long)tracee, false, true);
}

/* The ops of a row, and their addresses, as one registers them. */
struct row_ops {
	unsigned int nr;
	struct counting_ops *ops;
	struct ftrace_ops **list;
};

static void free_ops(struct row_ops *r)
{
	for (unsigned int i = 0; r->ops && i < r->nr; i++)
		ftrace_free_filter(&r->ops[i].ops);
	free(r->ops);
	free(r->list);
}

static int drop_ops(struct row_ops *r)
{
	int err = unregister_ftrace_functions(r->list, r->nr);

	if (err)
		pr_err("cannot unregister %u ops: error %d\n", r->nr, err);
	else
		free_ops(r);
	return err;
}

/* All ops of a row, the relevant ones first. On an error the reason is printed. */
static int register_row(struct row_ops *r, const struct row *row, enum hook hook)
{
	int err = 0;

	r->nr = row->relevant + row->irrelevant;
	r->ops = calloc(r->nr + 1, sizeof(*r->ops));
	r->list = calloc(r->nr + 1, sizeof(*r->list));
	if (!r->ops || !r->list)
		err = -ENOMEM;
	for (unsigned int i = 0; i < r->nr && !err; i++) {
		r->list[i] = &r->ops[i].ops;
		err = prepare_one(&r->ops[i], row, hook, i < row->relevant ? tracee_relevant : tracee_irrelevant);
	}
	if (!err)
		err = register_ftrace_functions(r->list, r->nr);
	if (err) {
		pr_err("cannot register %u ops: error %d\n", r->nr, err);
		free_ops(r);
	}
	return err;
}

static unsigned long calls_seen(const struct counting_ops *op)
{
	return op->ops.flags & FTRACE_OPS_FL_COUNT ? ftrace_ops_hits(&op->ops) : op->count;
}

/* Did every relevant op see every call, and no irrelevant one any? */
static int check_counts(const struct counting_ops *ops, const struct row *row, unsigned long nr_calls)
{
	for (unsigned int i = 0; i < row->relevant + row->irrelevant; i++) {
		unsigned long expected = i < row->relevant ? nr_calls : 0;

		if (calls_seen(&ops[i]) != expected) {
			pr_err("op %u (%s) saw %lu calls, expected %lu\n",
			       i, ops[i].ops.name, calls_seen(&ops[i]), expected);
			return 1;
		}
	}
	return 0;
}

static tracee_fn tracee_of(const struct row *row)
{
	return row->hook == HOOK_NOSITE ? tracee_nosite : tracee_relevant;
}

/* A leaf that does nothing is not seen to be called: its site must lead to it. */
static int check_leaf(void)
{
	unsigned long leaf = (unsigned long)arch_leaf_return;
	unsigned long target = site_target(site_of_function((unsigned long)tracee_relevant));

	if (target == leaf)
		return 0;
	pr_err("the site calls %pS instead of %pS\n", (void *)target, (void *)leaf);
	return 1;
}

/* The same row with what counts. */
static enum hook counting(enum hook hook)
{
	return hook == HOOK_LEAF || hook == HOOK_LEAF_COUNT ? HOOK_LEAF_COUNT : HOOK_COUNT;
}

static int count_row(const struct row *row, unsigned long nr_calls)
{
	struct row_ops r;
	int err;

	if (register_row(&r, row, counting(row->hook)))
		return 1;
	call_loop(tracee_of(row), nr_calls);
	err = check_counts(r.ops, row, nr_calls);
	return drop_ops(&r) || err;
}

static int measure_row(const struct row *row, unsigned long nr_calls, struct figure *figure)
{
	struct row_ops r;
	int err = 0;

	if (register_row(&r, row, row->hook))
		return 1;
	*figure = measure_calls(tracee_of(row), nr_calls);
	if (row->hook == HOOK_COUNT || row->hook == HOOK_LEAF_COUNT)
		err = check_counts(r.ops, row, nr_calls * (MEASURE_SAMPLES + 1));
	else if (row->hook == HOOK_LEAF)
		err = check_leaf();
	return drop_ops(&r) || err;
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

	pr_info("ops: %-24s %10s %s / call (min %s, max %s)\n", label_of(row).text,
		hundredths(median, sizeof(median), figure->median), measured_unit(),
		hundredths(low, sizeof(low), figure->min),
		hundredths(high, sizeof(high), figure->max));
	result_print("ops", params, measured_metric(), measured_unit(), figure);
}

/* A call that goes through more ops than that is made less often, so that no row takes much longer than others. */
#define OPS_A_CALL	10

static unsigned long calls_of(const struct row *row, unsigned long nr_calls)
{
	bool walks_all = dispatch_current() == &dispatch_list && row->relevant > 1;
	unsigned long nr_ops = row->relevant + (walks_all ? row->irrelevant : 0);

	return nr_ops <= OPS_A_CALL ? nr_calls : nr_calls * OPS_A_CALL / nr_ops + 1;
}

static int run_row(const struct row *row, unsigned long nr_calls)
{
	struct figure figure;

	if (count_row(row, nr_calls) || measure_row(row, nr_calls, &figure))
		return 1;
	print_row(row, &figure);
	return 0;
}

/* An image built without call sites has the rows that need none. */
static bool can_run(const struct row *row)
{
	return row->hook <= HOOK_NONE || site_of_function((unsigned long)tracee_relevant);
}

static int run_table(unsigned long nr_calls)
{
	pr_info("ops: dispatch %s\n", dispatch_current()->name);
	for (const struct row *row = table; row < table + ARRAY_SIZE(table); row++) {
		if (!can_run(row))
			pr_info("ops: %-24s has no call site in this image\n", label_of(row).text);
		else if (run_row(row, calls_of(row, nr_calls)))
			return 1;
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

/* One run, as the sample does it: with check_count the counting ops are the timed ones. */
static int run_single(const struct row *row, unsigned long nr_calls, bool check_count, bool persist)
{
	enum hook hook = check_count ? HOOK_COUNT : HOOK_C;
	struct row_ops r;
	u64 ns;
	int err = 0;

	print_registering(row, func_of(hook));
	if (register_row(&r, row, hook))
		return 1;
	ns = time_calls(tracee_relevant, nr_calls);
	pr_info("ftrace_ops: Attempted %lu calls to tracee_relevant [bench] in %lluns (%lluns / call)\n",
		nr_calls, (unsigned long long)ns, (unsigned long long)(ns / nr_calls));
	if (check_count)
		err = check_counts(r.ops, row, nr_calls);
	if (check_count && !err)
		pr_info("ops: counts are right: relevant ops saw %lu calls each, irrelevant ones none\n", nr_calls);
	if (persist && !err) {
		pr_info("ftrace_ops: ops stay registered; idle\n");
		idle_and_echo();
	}
	return drop_ops(&r) || err;
}

/* Both designs, or the one that was asked for. */
static int run_tables(unsigned long nr_calls)
{
	if (cmdline_get("dispatch", NULL))
		return run_table(nr_calls);
	return run_table(nr_calls) || dispatch_select("list") || run_table(nr_calls);
}

/* Of a single run; the table takes none of them. */
#define SINGLE_KEYS	"nr_ops_relevant", "nr_ops_irrelevant", "save_regs", \
			"assist_recursion", "assist_rcu", "check_count", "persist"

static bool any_single_parameter(void)
{
	static const char *const keys[] = { SINGLE_KEYS };

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
	if (measuring_insns()) {
		pr_err("measure=insns is for tables: a single run takes time, as the sample does\n");
		return 1;
	}
	row.relevant = (unsigned int)cmdline_number("nr_ops_relevant", 1, 0, MAX_OPS);
	row.irrelevant = (unsigned int)cmdline_number("nr_ops_irrelevant", 0, 0, MAX_OPS);
	row.save_regs = cmdline_number("save_regs", 0, 0, 1);
	row.recursion = cmdline_number("assist_recursion", 0, 0, 1);
	row.rcu = cmdline_number("assist_rcu", 0, 0, 1);
	check_count = cmdline_number("check_count", 0, 0, 1);
	persist = cmdline_number("persist", 0, 0, 1);
	return run_single(&row, nr_calls, check_count, persist);
}

DEFINE_BENCH(ops, bench_ops, "nr_function_calls", "dispatch", SINGLE_KEYS);
