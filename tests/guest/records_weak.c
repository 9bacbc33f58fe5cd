// SPDX-License-Identifier: MIT
/* A weak body that is overridden: its text and its record stay in the image, its symbol goes. */
#include "tests/guest/records_fixtures.h"

#include "base/types.h"

noinline notrace unsigned long rec_neighbour(unsigned long x)
{
	return x + 3;
}

__weak noinline unsigned long rec_overridden(unsigned long x)
{
	return x + 1;
}
