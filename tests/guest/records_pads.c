// SPDX-License-Identifier: MIT
/* A function with a landing pad at its entry (tests.mk has the flags). */
#include "tests/guest/records_fixtures.h"

#include "base/types.h"

noinline unsigned long rec_padded(unsigned long x)
{
	return x + 4;
}
