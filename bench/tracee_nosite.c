// SPDX-License-Identifier: MIT
/* The tracee of bench/tracee.c once more; the Makefile gives this file no call sites. */
#include "bench/tracee.h"

noinline __aligned(16) void tracee_nosite(void)
{
	barrier();
}
