// SPDX-License-Identifier: MIT
/* What the machine is, filled in by the board. */
#include "kernel/machine.h"

struct machine machine;

void machine_add_memory(u64 start, u64 size)
{
	u64 first = ALIGN_UP(start, PAGE_SIZE);
	u64 end = ALIGN_DOWN(start + size, PAGE_SIZE);

	if (end <= first)
		return;
	if (machine.nr_memory == MAX_MEMORY) {
		machine.nr_memory_ignored++;
		return;
	}
	machine.memory[machine.nr_memory].start = first;
	machine.memory[machine.nr_memory].size = end - first;
	machine.nr_memory++;
}
