// SPDX-License-Identifier: MIT
/*
 * GICv3 (Arm IHI 0069), affinity routing on, one security state or the
 * non-secure view. A CPU is named by its MPIDR affinity.
 */
#include "boards/drivers/gic.h"

#include "base/bug.h"
#include "base/host.h"
#include "boards/drivers/mmio.h"
#include "kernel/machine.h"

#define GICD_CTLR		0x0000
#define GICD_TYPER		0x0004
#define GICD_IGROUPR		0x0080
#define GICD_ISENABLER		0x0100
#define GICD_ICENABLER		0x0180
#define GICD_IPRIORITYR		0x0400
#define GICD_IROUTER		0x6000

#define CTLR_GROUP1		(1u << 1)
#define CTLR_ARE		(1u << 4)
#define CTLR_RWP		(1u << 31)

/* A redistributor: two frames of 64 KiB, four when it has virtual LPIs. */
#define GICR_TYPER		0x0008
#define GICR_WAKER		0x0014
#define GICR_SGI_FRAME		0x10000
#define GICR_IGROUPR0		(GICR_SGI_FRAME + 0x0080)
#define GICR_ISENABLER0		(GICR_SGI_FRAME + 0x0100)
#define GICR_ICENABLER0		(GICR_SGI_FRAME + 0x0180)
#define GICR_IPRIORITYR		(GICR_SGI_FRAME + 0x0400)
#define GICR_BYTES		0x20000

#define TYPER_VLPIS		(1u << 1)
#define TYPER_LAST		(1u << 4)
#define WAKER_SLEEP		(1u << 1)
#define WAKER_ASLEEP		(1u << 2)

#define PRIORITY		0xa0
#define PRIORITY_MASK		0xf0

/* CPU interface registers by their encoding: assemblers know the names only with an option. */
#define ICC_PMR_EL1		s3_0_c4_c6_0
#define ICC_SGI1R_EL1		s3_0_c12_c11_5
#define ICC_IAR1_EL1		s3_0_c12_c12_0
#define ICC_EOIR1_EL1		s3_0_c12_c12_1
#define ICC_BPR1_EL1		s3_0_c12_c12_3
#define ICC_CTLR_EL1		s3_0_c12_c12_4
#define ICC_SRE_EL1		s3_0_c12_c12_5
#define ICC_IGRPEN1_EL1		s3_0_c12_c12_7

#define NAME_(name)		#name
#define NAME(name)		NAME_(name)
#define icc_read(reg) ({ \
	u64 value_; \
	__asm__ volatile("mrs %0, " NAME(reg) : "=r"(value_) : : "memory"); \
	value_; \
})
#define icc_write(reg, value) \
	__asm__ volatile("msr " NAME(reg) ", %x0\n\tisb" : : "rZ"((u64)(value)) : "memory")

static struct gic_place place;
static u64 affinity[MAX_CPUS];
static unsigned long redistributor[MAX_CPUS];

static void wait_for_writes(void)
{
	while (mmio_read32(place.distributor + GICD_CTLR) & CTLR_RWP)
		;
}

static unsigned int nr_irqs(void)
{
	unsigned int n = ((mmio_read32(place.distributor + GICD_TYPER) & 0x1f) + 1) * 32;

	return min(n, 1020u);
}

static void init(const struct gic_place *where)
{
	unsigned long gicd = where->distributor;

	place = *where;
	mmio_write32(gicd + GICD_CTLR, 0);
	wait_for_writes();
	for (unsigned int irq = GIC_SPI_BASE; irq < nr_irqs(); irq += 32) {
		mmio_write32(gicd + GICD_ICENABLER + irq / 8, ~0u);
		mmio_write32(gicd + GICD_IGROUPR + irq / 8, ~0u);
	}
	wait_for_writes();
	mmio_write32(gicd + GICD_CTLR, CTLR_ARE | CTLR_GROUP1);
	wait_for_writes();
}

/* MPIDR has Aff3 at bit 32, GICR_TYPER all four side by side from bit 32. */
static u64 packed_affinity(u64 hwid)
{
	return (hwid >> 32 & 0xff) << 24 | (hwid & 0xffffff);
}

static unsigned long find_redistributor(u64 hwid)
{
	unsigned long frame = place.cpu;
	u64 typer;

	do {
		typer = mmio_read64(frame + GICR_TYPER);
		if (typer >> 32 == packed_affinity(hwid))
			return frame;
		frame += typer & TYPER_VLPIS ? 2 * GICR_BYTES : GICR_BYTES;
	} while (!(typer & TYPER_LAST) && frame < place.cpu + place.cpu_bytes);
	BUG();
}

static void wake(unsigned long gicr)
{
	mmio_write32(gicr + GICR_WAKER, mmio_read32(gicr + GICR_WAKER) & ~WAKER_SLEEP);
	while (mmio_read32(gicr + GICR_WAKER) & WAKER_ASLEEP)
		;
}

static void init_cpu(unsigned int cpu, u64 hwid)
{
	unsigned long gicr = find_redistributor(hwid);

	affinity[cpu] = hwid;
	redistributor[cpu] = gicr;
	wake(gicr);
	mmio_write32(gicr + GICR_ICENABLER0, 0xffff0000);
	mmio_write32(gicr + GICR_IGROUPR0, ~0u);
	for (unsigned int i = 0; i < 32; i++)
		mmio_write8(gicr + GICR_IPRIORITYR + i, PRIORITY);
	mmio_write32(gicr + GICR_ISENABLER0, 0x0000ffff);

	icc_write(ICC_SRE_EL1, icc_read(ICC_SRE_EL1) | 1);
	icc_write(ICC_PMR_EL1, PRIORITY_MASK);
	icc_write(ICC_BPR1_EL1, 0);
	icc_write(ICC_CTLR_EL1, 0);
	icc_write(ICC_IGRPEN1_EL1, 1);
}

static void enable(unsigned int irq)
{
	unsigned long gicd = place.distributor;

	if (irq < GIC_SPI_BASE) {
		mmio_write32(redistributor[host_cpu_id()] + GICR_ISENABLER0, 1u << irq);
		return;
	}
	mmio_write8(gicd + GICD_IPRIORITYR + irq, PRIORITY);
	mmio_write64(gicd + GICD_IROUTER + irq * 8, affinity[host_cpu_id()]);
	mmio_write32(gicd + GICD_ISENABLER + irq / 32 * 4, 1u << irq % 32);
}

static u32 acknowledge(void)
{
	u32 iar = icc_read(ICC_IAR1_EL1);

	/* The interrupt is active before anything the handler does. */
	__asm__ volatile("dsb sy" : : : "memory");
	return iar;
}

static void end(u32 iar)
{
	icc_write(ICC_EOIR1_EL1, iar);
}

static void send(unsigned int cpu, unsigned int irq)
{
	u64 hwid = affinity[cpu];
	u64 aff3 = hwid >> 32 & 0xff, aff2 = hwid >> 16 & 0xff, aff1 = hwid >> 8 & 0xff, aff0 = hwid & 0xff;

	/* What the other CPU shall see is written before the interrupt is. */
	__asm__ volatile("dsb ishst" : : : "memory");
	icc_write(ICC_SGI1R_EL1, aff3 << 48 | (aff0 >> 4) << 44 | aff2 << 32 | (u64)irq << 24 |
				 aff1 << 16 | 1ul << (aff0 & 15));
}

const struct gic gicv3 = { "GICv3", init, init_cpu, enable, acknowledge, end, send };
