// SPDX-License-Identifier: MIT
/*
 * What a branch that is hardly ever taken costs: as a static key and as a test
 * of a variable, switched off and on; and what flipping many keys at once takes.
 *
 * The four functions differ by their branch alone. Each counts how often the
 * branch was taken, so a loop whose count is off gives no number.
 */
#include "patch/static_key.h"
#include "base/print.h"
#include "bench/bench.h"
#include "bench/many_keys.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "kernel/cmdline.h"
#include "patch/text_poke.h"

static DEFINE_STATIC_KEY_FALSE(measured_key);
static bool measured_flag;
static unsigned long taken;

static noinline notrace __aligned(16) void no_branch(void)
{
	barrier();
}

static noinline notrace __aligned(16) void key_branch(void)
{
	if (static_branch_unlikely(&measured_key))
		taken++;
	barrier();
}

static noinline notrace __aligned(16) void flag_branch(void)
{
	if (unlikely(READ_ONCE(measured_flag)))
		taken++;
	barrier();
}

struct row {
	const char *hook;
	tracee_fn tracee;
	bool on;
};

static const struct row rows[] = {
	{ "none", no_branch, false },
	{ "static_key", key_branch, false },
	{ "static_key", key_branch, true },
	{ "flag", flag_branch, false },
	{ "flag", flag_branch, true },
};

static int switch_row(const struct row *row, bool on)
{
	if (row->tracee == flag_branch)
		WRITE_ONCE(measured_flag, on);
	if (row->tracee != key_branch)
		return 0;
	return on ? static_key_inc(&measured_key.key) : static_key_dec(&measured_key.key);
}

static int run_row(const struct row *row, unsigned long nr_calls)
{
	unsigned long expected = row->on ? nr_calls * (MEASURE_SAMPLES + 1) : 0;
	const struct result_param params[] = {
		{ "hook", row->hook, 0 },
		{ "on", NULL, row->on },
		{ NULL, NULL, 0 },
	};
	struct figure figure;
	char text[24];

	if (row->on && switch_row(row, true))
		return 1;
	taken = 0;
	figure = measure_calls(row->tracee, nr_calls);
	if (row->on && switch_row(row, false))
		return 1;
	if (taken != expected) {
		pr_err("static_key: %s: branch taken %lu times, expected %lu\n", row->hook, taken, expected);
		return 1;
	}
	pr_info("static_key: %-12s %-4s %10s %s / call\n", row->hook, row->on ? "on" : "off",
		hundredths(text, sizeof(text), figure.median), measured_unit());
	result_print("static_key", params, measured_metric(), measured_unit(), &figure);
	return 0;
}

/* ---- many keys in one batch -------------------------------------------------- */

static void put_flip(unsigned int nr, const char *op)
{
	struct text_poke_stats last;
	const struct result_param params[] = {
		{ "op", op, 0 },
		{ "nr_keys", NULL, nr },
		{ "method", text_poke_method_name(), 0 },
		{ NULL, NULL, 0 },
	};
	struct figure figure = { .samples = 1 };

	text_poke_stats(NULL, &last);
	figure.median = figure.min = figure.max = last.rounds * 100;
	pr_info("static_key: %s %u keys: %lu rounds, %lu branches\n", op, nr, last.rounds, last.pokes);
	result_print("static_key", params, "rounds", "rounds", &figure);
}

static int flip_row(unsigned int nr)
{
	if (many_keys_flip(nr, 1))
		return 1;
	put_flip(nr, "enable");
	if (many_keys_taken() != nr) {
		pr_err("static_key: %u branches taken with %u keys on\n", many_keys_taken(), nr);
		return 1;
	}
	if (many_keys_flip(nr, -1))
		return 1;
	put_flip(nr, "disable");
	return many_keys_taken() != 0;
}

static int bench_static_key(void)
{
	unsigned long nr_calls = cmdline_number("nr_function_calls", 100000, 1, 100000000);

	for (const struct row *row = rows; row < rows + ARRAY_SIZE(rows); row++)
		if (run_row(row, nr_calls))
			return 1;
	/* Rounds are counted where there is another CPU to wait for, or the same protocol without. */
	if (measuring_insns())
		return 0;
	return flip_row(1) || flip_row(NR_MANY_KEYS);
}

DEFINE_BENCH(static_key, bench_static_key, "nr_function_calls");
