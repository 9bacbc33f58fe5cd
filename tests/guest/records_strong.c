// SPDX-License-Identifier: MIT
/* The body that overrides the weak one. */
#include "tests/guest/records_fixtures.h"

#include "base/types.h"

noinline unsigned long rec_overridden(unsigned long x)
{
	return x + 2;
}
