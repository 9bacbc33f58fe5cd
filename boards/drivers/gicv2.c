// SPDX-License-Identifier: MIT
/*
 * GICv2 (Arm IHI 0048). A CPU is named by a bit that the CPU itself reads from
 * the distributor: not its index, nor its MPIDR.
 */
#include "boards/drivers/gic.h"

#include "boards/drivers/mmio.h"
#include "kernel/machine.h"

#define GICD_CTLR		0x000
#define GICD_TYPER		0x004
#define GICD_ISENABLER		0x100
#define GICD_ICENABLER		0x180
#define GICD_IPRIORITYR		0x400
#define GICD_ITARGETSR		0x800
#define GICD_SGIR		0xf00

#define GICC_CTLR		0x00
#define GICC_PMR		0x04
#define GICC_IAR		0x0c
#define GICC_EOIR		0x10

#define PRIORITY		0xa0
#define PRIORITY_MASK		0xf0
#define SGIR_TARGET_SHIFT	16

static unsigned long gicd, gicc;
static u8 cpu_bit[MAX_CPUS];

static unsigned int nr_irqs(void)
{
	return ((mmio_read32(gicd + GICD_TYPER) & 0x1f) + 1) * 32;
}

static void init(const struct gic_place *place)
{
	gicd = place->distributor;
	gicc = place->cpu;
	mmio_write32(gicd + GICD_CTLR, 0);
	for (unsigned int irq = GIC_SPI_BASE; irq < nr_irqs(); irq += 32)
		mmio_write32(gicd + GICD_ICENABLER + irq / 8, ~0u);
	mmio_write32(gicd + GICD_CTLR, 1);
}

/* The bytes of ITARGETSR0-7 read as the reading CPU's own bit. */
static u8 read_own_bit(void)
{
	u8 bit = 0;

	for (unsigned int i = 0; i < 32 && !bit; i += 4) {
		u32 word = mmio_read32(gicd + GICD_ITARGETSR + i);

		bit = word | word >> 8 | word >> 16 | word >> 24;
	}
	return bit ? bit : 1;	/* one CPU: the registers read as zero */
}

static void init_cpu(unsigned int cpu, u64 hwid)
{
	cpu_bit[cpu] = read_own_bit();
	mmio_write32(gicd + GICD_ICENABLER, 0xffff0000);
	mmio_write32(gicd + GICD_ISENABLER, 0x0000ffff);
	for (unsigned int i = 0; i < 32; i++)
		mmio_write8(gicd + GICD_IPRIORITYR + i, PRIORITY);
	mmio_write32(gicc + GICC_PMR, PRIORITY_MASK);
	mmio_write32(gicc + GICC_CTLR, 1);
}

static void enable(unsigned int irq)
{
	if (irq >= GIC_SPI_BASE) {
		mmio_write8(gicd + GICD_IPRIORITYR + irq, PRIORITY);
		mmio_write8(gicd + GICD_ITARGETSR + irq, read_own_bit());
	}
	mmio_write32(gicd + GICD_ISENABLER + irq / 32 * 4, 1u << irq % 32);
}

/* With an SGI the sender comes along, and end() must give it back. */
static u32 acknowledge(void)
{
	return mmio_read32(gicc + GICC_IAR);
}

static void end(u32 iar)
{
	mmio_write32(gicc + GICC_EOIR, iar);
}

static void send(unsigned int cpu, unsigned int irq)
{
	/* What the other CPU shall see is written before the interrupt is. */
	__asm__ volatile("dsb ishst" : : : "memory");
	mmio_write32(gicd + GICD_SGIR, (u32)cpu_bit[cpu] << SGIR_TARGET_SHIFT | irq);
}

const struct gic gicv2 = { "GICv2", init, init_cpu, enable, acknowledge, end, send };
