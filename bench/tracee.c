// SPDX-License-Identifier: MIT
/* Tracees with a call site. */
#include "bench/tracee.h"

noinline __aligned(16) void tracee_relevant(void)
{
	barrier();
}

noinline __aligned(16) void tracee_irrelevant(void)
{
	barrier();
}
