// SPDX-License-Identifier: MIT
/*
 * ARM PL190 vectored interrupt controller.
 *
 * The enable and software registers are write-one-to-set with a clear register
 * each, so no read-modify-write needs a lock.
 */
#include "boards/drivers/vic.h"

#include "boards/drivers/mmio.h"

#define VIC_IRQ_STATUS		0x000
#define VIC_INT_SELECT		0x00c	/* 1 = FIQ */
#define VIC_INT_ENABLE		0x010
#define VIC_INT_ENABLE_CLEAR	0x014
#define VIC_SOFT_INT		0x018
#define VIC_SOFT_INT_CLEAR	0x01c

static unsigned long vic_base;

void vic_init(unsigned long base)
{
	vic_base = base;
	mmio_write32(vic_base + VIC_INT_ENABLE_CLEAR, ~0u);
	mmio_write32(vic_base + VIC_SOFT_INT_CLEAR, ~0u);
	mmio_write32(vic_base + VIC_INT_SELECT, 0);
}

void vic_enable(unsigned int irq)
{
	mmio_write32(vic_base + VIC_INT_ENABLE, 1u << irq);
}

u32 vic_pending(void)
{
	return mmio_read32(vic_base + VIC_IRQ_STATUS);
}

void vic_soft_raise(unsigned int irq)
{
	mmio_write32(vic_base + VIC_SOFT_INT, 1u << irq);
}

void vic_soft_clear(unsigned int irq)
{
	mmio_write32(vic_base + VIC_SOFT_INT_CLEAR, 1u << irq);
}
