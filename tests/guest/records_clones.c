// SPDX-License-Identifier: MIT
/* Bait for the compiler's clones (built with -O3), and a nested function. */
#include "tests/guest/records_fixtures.h"

#include "base/types.h"

static unsigned long sink[64];

static noinline __attribute__((cold)) void rec_rare(unsigned long x)
{
	sink[x % 64] = x;
}

/* Worth a copy for mode 3, which most callers use. */
static noinline unsigned long rec_cloned(unsigned long x, unsigned int mode)
{
	for (unsigned int i = 0; i < mode; i++) {
		if (unlikely(x > 1000000))
			rec_rare(x);
		sink[(x + i) % 64] += mode;
		x += sink[x % 64] * mode;
	}
	return x;
}

noinline unsigned long rec_call_clones(unsigned long x)
{
	unsigned long sum = 0;

	for (unsigned int i = 0; i < 3; i++)
		sum += rec_cloned(x + i, 3);
	sum += rec_cloned(x, 3);
	return sum + rec_cloned(x, x & 7);
}

noinline unsigned long rec_nest(unsigned long x)
{
	noinline unsigned long rec_inner(unsigned long y)
	{
		x++;
		return x + y;
	}
	unsigned long sum = rec_inner(x);

	/* The inner one saw and changed our x. */
	return sum + x - 1;
}
