// SPDX-License-Identifier: MIT
/*
 * A free-running 32-bit up-counter as a 64-bit clock.
 *
 * Reading and accumulating are one step for interrupts: a reader that came
 * between them would make the outer one add the same counts twice.
 */
#include "boards/drivers/clock32.h"

#include "base/host.h"

static const volatile u32 *clock_counter;
static u32 clock_last;
static u64 clock_total;

void clock32_init(const volatile u32 *counter)
{
	clock_last = *counter;
	clock_total = 0;
	clock_counter = counter;
}

u64 clock32_read(void)
{
	unsigned long flags;
	u64 total;
	u32 now;

	if (!clock_counter)
		return 0;
	flags = host_irq_save();
	now = *clock_counter;
	clock_total += (u32)(now - clock_last);
	clock_last = now;
	total = clock_total;
	host_irq_restore(flags);
	return total;
}
