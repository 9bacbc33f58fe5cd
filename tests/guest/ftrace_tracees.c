// SPDX-License-Identifier: MIT
/* Functions to hook. */
#include "tests/guest/ftrace_tracees.h"

#include "base/types.h"

#define TRACEE(n) \
	noinline unsigned long ft_tracee_##n(unsigned long x) \
	{ \
		return x + n; \
	}

TRACEE(0)
TRACEE(1)
TRACEE(2)
TRACEE(3)

const ft_tracee_t ft_tracees[NR_FT_TRACEES] = {
	ft_tracee_0, ft_tracee_1, ft_tracee_2, ft_tracee_3,
};

noinline notrace unsigned long ft_hidden(unsigned long x)
{
	return x + 100;
}

noinline unsigned long ft_arguments(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
				    unsigned long e, unsigned long f, unsigned long g, unsigned long h,
				    unsigned long i, unsigned long j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

noinline unsigned long ft_inner(unsigned long x)
{
	barrier();
	return x + 1;
}

noinline unsigned long ft_middle(unsigned long x)
{
	x = ft_inner(x);
	barrier();
	return x + 1;
}

noinline unsigned long ft_outer(unsigned long x)
{
	x = ft_middle(x);
	barrier();
	return x + 1;
}
