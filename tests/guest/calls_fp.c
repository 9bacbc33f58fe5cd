// SPDX-License-Identifier: MIT
/*
 * Floating point through hooks: arguments and results of traced functions stay
 * what they are, whatever the runtime does with memory meanwhile.
 */
#include "tests/test.h"
#include "tests/guest/calls.h"

#include "core/fgraph.h"
#include "kernel/cmdline.h"

#include <stdarg.h>

/* Nothing is known about it to its callers: each call is made. */
#define OPAQUE	static __attribute__((noipa))

struct two {
	double a, b;
};

OPAQUE double fp_shape_eight(double a, double b, double c, double d, double e, double f, double g,
			     double h, double i, long j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (double)j;
}

OPAQUE float fp_shape_single(float a, int b, float c)
{
	return a * (float)b - c;
}

OPAQUE double fp_shape_variadic(unsigned int n, ...)
{
	double sum = 0;
	va_list args;

	va_start(args, n);
	while (n--)
		sum += va_arg(args, double);
	va_end(args);
	return sum;
}

OPAQUE struct two fp_shape_pair(double a, struct two b)
{
	return (struct two){ a * b.a, a - b.b };
}

static unsigned long hits[CALLS_MAX_OPS];
static struct ftrace_ops ops[CALLS_MAX_OPS];

#define FP_CALLS_A_PASS	5

static unsigned int pass(double x)
{
	struct two pair = fp_shape_pair(x, (struct two){ 4.0, 0.5 });
	unsigned int wrong = 0;

	wrong += fp_shape_eight(x, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, -3) != x + 262.0 - 30.0;
	wrong += fp_shape_single(0.5f, 6, 1.25f) != 1.75f;
	wrong += fp_shape_variadic(0) != 0;
	wrong += fp_shape_variadic(10, x, x, x, x, x, x, x, x, 0.25, 0.5) != 8 * x + 0.75;
	wrong += pair.a != 4 * x || pair.b != x - 0.5;
	return wrong;
}

static void call_with(unsigned int nr, unsigned int flags, unsigned int users)
{
	unsigned int rounds = cmdline_number("calls", 500, 1, 10000000), wrong = 0, lost = 0;
	double x = 0;
	int err = 0;

	for (unsigned int i = 0; i < nr && !err; i++) {
		hits[i] = 0;
		ops[i] = (struct ftrace_ops){ .func = calls_copy, .private = &hits[i], .flags = flags };
		err = ftrace_set_filter(&ops[i], "fp_shape_*", true) == 4 ? 0 : -1;
		if (!err)
			err = register_ftrace_function(&ops[i]);
	}
	if (!err && !calls_graph_on(users, "fp_shape_*"))
		err = -1;
	for (unsigned int i = 0; i < rounds; i++, x += 0.125)
		wrong += pass(x);
	lost = calls_graph_off(users, (unsigned long)rounds * FP_CALLS_A_PASS);
	for (unsigned int i = 0; i < nr; i++) {
		lost += hits[i] != (unsigned long)rounds * FP_CALLS_A_PASS;
		if (unregister_ftrace_function(&ops[i]))
			report(false, "op %u unregisters", i);
		ftrace_free_filter(&ops[i]);
	}
	report(!err && !wrong && !lost, "%u ops, flags %x, %u users of the graph: %u results wrong, %u counts (%d)",
	       nr, flags, users, wrong, lost, err);
}

DEFINE_TEST(calls_fp)
{
	static const struct calls_hooks kinds[] = CALLS_HOOKS;

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!kinds[i].users || arch_fgraph_supported())
			call_with(kinds[i].nr, kinds[i].flags, kinds[i].users);
}
