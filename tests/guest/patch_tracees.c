// SPDX-License-Identifier: MIT
/*
 * A thousand traceable functions, each with a result of its own, so that a call
 * that went astray is seen.
 */
#include "tests/guest/patch_tracees.h"

#include "core/ftrace.h"

#define NUMBER(a, b, c)	((a) * 100 + (b) * 10 + (c))

#define EACH_C(m, a, b) \
	m(a, b, 0) m(a, b, 1) m(a, b, 2) m(a, b, 3) m(a, b, 4) \
	m(a, b, 5) m(a, b, 6) m(a, b, 7) m(a, b, 8) m(a, b, 9)
#define EACH_B(m, a) \
	EACH_C(m, a, 0) EACH_C(m, a, 1) EACH_C(m, a, 2) EACH_C(m, a, 3) EACH_C(m, a, 4) \
	EACH_C(m, a, 5) EACH_C(m, a, 6) EACH_C(m, a, 7) EACH_C(m, a, 8) EACH_C(m, a, 9)
#define EACH(m) \
	EACH_B(m, 0) EACH_B(m, 1) EACH_B(m, 2) EACH_B(m, 3) EACH_B(m, 4) \
	EACH_B(m, 5) EACH_B(m, 6) EACH_B(m, 7) EACH_B(m, 8) EACH_B(m, 9)

#define TRACEE(a, b, c) \
	static noinline unsigned int patch_tracee_##a##b##c(unsigned int x) \
	{ \
		return x * 3 + NUMBER(a, b, c); \
	}
#define ENTRY(a, b, c)	patch_tracee_##a##b##c,

EACH(TRACEE)

const patch_tracee_t patch_tracees[NR_PATCH_TRACEES] = { EACH(ENTRY) };

int patch_choose_tracees(struct ftrace_ops *op, unsigned int nr)
{
	int err = 0;

	for (unsigned int i = 0; i < nr && !err; i++)
		err = ftrace_set_filter_ip(op, (unsigned long)patch_tracees[i], false, i == 0);
	return err;
}
