// SPDX-License-Identifier: MIT
/* Arm Generic Interrupt Controllers: one interface, the version is chosen at run time. */
#pragma once

#include "base/types.h"

#define GIC_PPI_BASE	16	/* interrupt numbers: 0 SGI, 16 private peripherals, 32 shared ones */
#define GIC_SPI_BASE	32
#define GIC_SPECIAL	1020	/* from here on: nothing is pending */

#define GIC_ID(iar)	((iar) & 0x3ff)	/* an SGI of GICv2 has its sender above */

struct gic_place {
	unsigned long distributor;
	unsigned long cpu;		/* v2: CPU interface; v3: redistributors */
	unsigned long cpu_bytes;	/* size of the latter */
};

struct gic {
	const char *name;
	/* Once, on the boot CPU, before all others. */
	void (*init)(const struct gic_place *place);
	/* On each CPU, with its index (below MAX_CPUS) and MPIDR affinity; the boot CPU first. */
	void (*init_cpu)(unsigned int cpu, u64 hwid);
	/* A private interrupt concerns the calling CPU; a shared one goes to it. */
	void (*enable)(unsigned int irq);
	/* What came: GIC_ID() of it is the number. Given back by end(). */
	u32 (*acknowledge)(void);
	void (*end)(u32 iar);
	/* Software interrupt @irq (0 .. 15) to a CPU that has passed init_cpu(). */
	void (*send)(unsigned int cpu, unsigned int irq);
};

extern const struct gic gicv2, gicv3;
