// SPDX-License-Identifier: MIT
/* What the encoders' test links against and never calls. */
#include <stdlib.h>

#include "arch/arch.h"
#include "base/host.h"

void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	abort();
}

bool kallsyms_lookup(unsigned long addr, struct kallsym *sym)
{
	abort();
}

unsigned long host_code_pool(size_t *size_bytes)
{
	abort();
}
