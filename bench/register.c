// SPDX-License-Identifier: MIT
/*
 * What registering and unregistering costs, in all: many ops on one function, one
 * by one and in one batch; and one op on many functions (of the big image).
 *
 * A row is made twice and the second one counts: the first lets tables grow. In
 * between the ops are called and their calls counted.
 */
#include "base/errno.h"
#include "base/print.h"
#include "bench/bench.h"
#include "bench/callbacks.h"
#include "bench/design.h"
#include "bench/generated.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "core/dispatch.h"
#include "core/quiesce.h"
#include "kernel/board.h"
#include "kernel/port.h"

#include <stdlib.h>

#define CALLS	3

struct row {
	unsigned int nr_ops, nr_functions;
	bool batched;
	bool apart;		/* each ops has one of the functions, and none has them all */
};

/* With the same numbers in two rows next to each other, one by one and batched. */
static const struct row rows[] = {
	{ 1, 1, false }, { 10, 1, false }, { 10, 1, true }, { 100, 1, false }, { 100, 1, true },
	{ 1000, 1, false }, { 1000, 1, true },
	{ 1, 20, false }, { 1, 200, false }, { 1, 2000, false }, { 1, 20000, false },
	{ 10, 2000, true }, { 10, 20000, true },
	{ 100, 100, true, .apart = true }, { 1000, 1000, true, .apart = true },
};

struct work {
	const struct row *row;
	struct counting_ops *ops;
	struct ftrace_ops **list;
	u64 spent[2];		/* registering, unregistering; as the clock counts */
};

static u64 now(void)
{
	return measuring_insns() ? insns_read() : board_clock();
}

/* Hundredths of an instruction or of a ns. */
static u64 hundredths_of(u64 spent)
{
	return measuring_insns() ? spent * 100 * INSNS_NUM / INSNS_DEN : ticks_to_ns(spent) * 100;
}

static unsigned int functions_there(void)
{
	return &nr_generated ? nr_generated : 0;
}

/* Thousands of changes, one by one: with several CPUs in an emulator their rounds take minutes. */
static bool is_for_insns_alone(const struct row *row)
{
	return row->nr_ops >= 1000 && !row->batched;
}

static int choose_functions(struct ftrace_ops *op, const struct row *row, unsigned int i)
{
	if (row->apart)
		return ftrace_set_filter_ip(op, (unsigned long)generated_functions[i], false, true);
	if (row->nr_functions == 1)
		return ftrace_set_filter_ip(op, (unsigned long)tracee_relevant, false, true);
	return ftrace_set_filter_ips(op, (const unsigned long *)(const void *)generated_functions,
				     row->nr_functions, true);
}

static int prepare(struct work *w)
{
	int err = 0;

	w->ops = calloc(w->row->nr_ops, sizeof(*w->ops));
	w->list = calloc(w->row->nr_ops, sizeof(*w->list));
	if (!w->ops || !w->list)
		return -ENOMEM;
	for (unsigned int i = 0; i < w->row->nr_ops && !err; i++) {
		w->list[i] = &w->ops[i].ops;
		w->ops[i].ops.func = callback_count;
		err = choose_functions(w->list[i], w->row, i);
	}
	return err;
}

static void finish(struct work *w)
{
	for (unsigned int i = 0; w->ops && i < w->row->nr_ops; i++)
		ftrace_free_filter(&w->ops[i].ops);
	free(w->ops);
	free(w->list);
}

static int change(const struct work *w, int (*many)(struct ftrace_ops *const *, unsigned int), u64 *spent)
{
	unsigned int step = w->row->batched ? w->row->nr_ops : 1;
	u64 start = now();
	int err = 0;

	for (unsigned int i = 0; i < w->row->nr_ops && !err; i += step)
		err = many(w->list + i, step);
	*spent = now() - start;
	return err;
}

/* So that each ops sees CALLS of them. */
static void call_some(const struct row *row)
{
	for (unsigned int i = 0; row->apart && i < CALLS * row->nr_functions; i++)
		generated_functions[i % row->nr_functions]((int)i);
	for (int i = 0; !row->apart && i < CALLS; i++) {
		if (row->nr_functions == 1)
			tracee_relevant();
		else
			generated_functions[(unsigned int)i * (row->nr_functions - 1) / (CALLS - 1)](i);
	}
}

static int check(const struct work *w)
{
	for (unsigned int i = 0; i < w->row->nr_ops; i++) {
		if (w->ops[i].count != CALLS) {
			pr_err("register: op %u saw %lu calls, expected %u\n", i, w->ops[i].count, CALLS);
			return -EINVAL;
		}
	}
	return 0;
}

static int run_once(struct work *w)
{
	int err = prepare(w);

	if (!err)
		err = change(w, register_ftrace_functions, &w->spent[0]);
	if (!err) {
		call_some(w->row);
		err = change(w, unregister_ftrace_functions, &w->spent[1]);
	}
	call_some(w->row);
	if (!err)
		err = check(w);
	if (err)
		pr_err("register: %u ops, %u functions: error %d\n", w->row->nr_ops, w->row->nr_functions, err);
	else
		finish(w);
	return err;
}

static void print(const struct row *row, const char *op, u64 spent)
{
	const struct figure figure = { spent, spent, spent, 1 };
	const struct result_param params[] = {
		{ "op", op, 0 },
		{ "nr_ops", NULL, row->nr_ops },
		{ "nr_functions", NULL, row->nr_functions },
		{ "batched", NULL, row->batched },
		{ "apart", NULL, row->apart },
		{ "dispatch", dispatch_current()->name, 0 },
		{ NULL, NULL, 0 },
	};

	pr_info("register: %-10s %4u ops on %5u functions%s%s: %llu %s\n", op, row->nr_ops, row->nr_functions,
		row->apart ? ", one each" : "", row->batched ? ", one batch" : "",
		(unsigned long long)(spent / 100), measured_unit());
	result_print("register", params, measuring_insns() ? "insns" : "ns", measured_unit(), &figure);
}

static int run_row(const struct row *row)
{
	struct work w = { .row = row };

	if (run_once(&w) || run_once(&w))
		return 1;
	print(row, "register", hundredths_of(w.spent[0]));
	print(row, "unregister", hundredths_of(w.spent[1]));
	return 0;
}

/* What all this made the runtime do, since boot. */
static void print_counters(void)
{
	struct quiesce_stats q;

	quiesce_stats(&q);
	pr_info("register: quiescence: %lu waits, %lu rounds, %lu of them retries, at most %lu in a wait, "
		"the longest %llu us\n",
		q.calls, q.rounds, q.retries, q.most_rounds, (unsigned long long)(ticks_to_ns(q.longest) / 1000));
	pr_info("register: the code pool was full: %lu sets share a trampoline, %lu refused\n",
		dispatch_set_shared(), dispatch_set_refused());
}

static int bench_register(void)
{
	unsigned int skipped = 0;

	if (choose_design())
		return 1;
	for (const struct row *row = rows; row < rows + ARRAY_SIZE(rows); row++) {
		if (!measuring_insns() && is_for_insns_alone(row))
			continue;
		if (row->nr_functions > 1 && row->nr_functions > functions_there())
			skipped++;
		else if (run_row(row))
			return 1;
	}
	if (skipped)
		pr_info("register: %u rows need more functions than this image has: make big-image\n", skipped);
	print_counters();
	return 0;
}

DEFINE_BENCH(register, bench_register, "dispatch");
