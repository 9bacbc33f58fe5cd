// SPDX-License-Identifier: MIT
/* ARM SP804 dual timer: its first timer as a periodic tick. */
#include "boards/drivers/sp804.h"

#include "boards/drivers/mmio.h"

#define TIMER_LOAD		0x00
#define TIMER_CONTROL		0x08
#define TIMER_INT_CLEAR		0x0c
#define TIMER_MASKED_STATUS	0x14

#define CONTROL_ENABLE		(1u << 7)
#define CONTROL_PERIODIC	(1u << 6)
#define CONTROL_INT_ENABLE	(1u << 5)
#define CONTROL_32BIT		(1u << 1)

void sp804_start(unsigned long base, u32 input_hz, u32 hz)
{
	mmio_write32(base + TIMER_CONTROL, 0);
	mmio_write32(base + TIMER_INT_CLEAR, 1);
	mmio_write32(base + TIMER_LOAD, input_hz / hz);
	mmio_write32(base + TIMER_CONTROL, CONTROL_ENABLE | CONTROL_PERIODIC |
		     CONTROL_INT_ENABLE | CONTROL_32BIT);
}

bool sp804_acknowledge(unsigned long base)
{
	if (!mmio_read32(base + TIMER_MASKED_STATUS))
		return false;
	mmio_write32(base + TIMER_INT_CLEAR, 1);
	return true;
}
