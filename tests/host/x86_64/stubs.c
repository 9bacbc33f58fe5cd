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

/* Where generated code finds its host's state: plain variables. */
static unsigned long fake_state[4], fake_counters[4];
static unsigned char fake_watching = 1;

struct host_place host_trace_state_place(void)
{
	return (struct host_place){ HOST_BASE_ADDRESS, (unsigned long)fake_state, false };
}

struct host_place host_watching_place(void)
{
	return (struct host_place){ HOST_BASE_ADDRESS, (unsigned long)&fake_watching, false };
}

struct host_counters host_counters(void)
{
	return (struct host_counters){
		.place = { HOST_BASE_ADDRESS, (unsigned long)fake_counters, false },
		.first = (unsigned long)fake_counters,
		.nr = ARRAY_SIZE(fake_counters),
	};
}
