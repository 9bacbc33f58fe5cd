// SPDX-License-Identifier: MIT
/* Compiled with -mbranch-protection=standard (tests.mk). */
#include "tests/guest/arm64/pac.h"

#include "base/types.h"

noinline unsigned long pac_inner(unsigned long x)
{
	barrier();
	return x + 1;
}

noinline unsigned long pac_outer(unsigned long x)
{
	x = pac_inner(x);
	barrier();
	return x + 2;
}
