// SPDX-License-Identifier: MIT
/*
 * A free-running 32-bit up-counter as a 64-bit clock.
 *
 * Reading and accumulating are one step for interrupts: a reader that came
 * between them would make the outer one add the same counts twice.
 */
#include "boards/drivers/clock32.h"

#include "base/host.h"

void clock32_init(struct clock32 *clock, const volatile u32 *counter)
{
	clock->last = *counter;
	clock->total = 0;
	clock->counter = counter;
}

u64 clock32_read(struct clock32 *clock)
{
	unsigned long flags;
	u64 total;
	u32 now;

	if (!clock->counter)
		return 0;
	flags = host_irq_save();
	now = *clock->counter;
	clock->total += (u32)(now - clock->last);
	clock->last = now;
	total = clock->total;
	host_irq_restore(flags);
	return total;
}
