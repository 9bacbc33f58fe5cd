// SPDX-License-Identifier: MIT
/*
 * The calling CPU: who it is, its interrupt mask, how it waits, its counters.
 * See kernel/port.h for what each function promises.
 *
 * TPIDR_EL1 holds this CPU's struct cpu, SP_EL0 the current thread: we never
 * run on SP_EL0 and never leave EL1.
 */
#pragma once

#include "base/types.h"

struct cpu;
struct thread;

/* offsetof(struct cpu, id); checked in cpu.c, for struct cpu is not complete here. */
#define ARM64_CPU_ID	32

static always_inline struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	/* volatile: a preempted thread may go on elsewhere. */
	__asm__ volatile("mrs %0, tpidr_el1" : "=r"(cpu));
	return cpu;
}

static always_inline void set_this_cpu(struct cpu *cpu)
{
	__asm__ volatile("msr tpidr_el1, %0" : : "r"(cpu) : "memory");
}

static always_inline unsigned int cpu_id(void)
{
	return *(const unsigned int *)((const char *)this_cpu() + ARM64_CPU_ID);
}

static always_inline struct thread *current(void)
{
	struct thread *t;

	__asm__ volatile("mrs %0, sp_el0" : "=r"(t));
	return t;
}

static always_inline void set_current(struct thread *t)
{
	__asm__ volatile("msr sp_el0, %0" : : "r"(t) : "memory");
}

#define ARM64_DAIF_I	(1ul << 7)

static always_inline unsigned long irq_save(void)
{
	unsigned long flags;

	__asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(flags) : : "memory");
	return flags;
}

static always_inline void irq_restore(unsigned long flags)
{
	__asm__ volatile("msr daif, %0" : : "r"(flags) : "memory");
}

static always_inline void irq_enable(void)
{
	__asm__ volatile("msr daifclr, #2" : : : "memory");
}

static always_inline void irq_disable(void)
{
	__asm__ volatile("msr daifset, #2" : : : "memory");
}

static always_inline bool irqs_enabled(void)
{
	unsigned long daif;

	__asm__ volatile("mrs %0, daif" : "=r"(daif) : : "memory");
	return !(daif & ARM64_DAIF_I);
}

static always_inline void cpu_relax(void)
{
	__asm__ volatile("yield" : : : "memory");
}

/* WFI wakes for a masked interrupt too: one that came before it is not lost. */
static always_inline void cpu_idle(void)
{
	__asm__ volatile("dsb sy\n\twfi\n\tmsr daifclr, #2" : : : "memory");
}

/*
 * The alias lies in the upper half, which TTBR1 translates: the address with
 * all bits above the lower half's range (39 bits, T0SZ = T1SZ = 25) set.
 */
#define ARM64_VA_BITS		39
#define ARM64_ALIAS_OFFSET	(~0ul << ARM64_VA_BITS)

static always_inline void *text_alias(unsigned long addr)
{
	return (void *)(addr | ARM64_ALIAS_OFFSET);
}

/* PMCCNTR, or CNTVCT on a CPU without PMU. */
u64 cycles_read(void);

/* Retired instructions: PMU event 8, which QEMU has under icount only; else as cycles_read(). */
u64 insns_read(void);

#define INSNS_NUM	1
#define INSNS_DEN	1

/* For base/host.h: where the current thread and this CPU's members are. */
#define PORT_CURRENT_PLACE	((struct host_place){ HOST_BASE_THREAD, 0, false })
#define PORT_CPU_PLACE(member)	((struct host_place){ HOST_BASE_CPU, offsetof(struct cpu, member), false })

#define PORT_ISA	"arm64"
#define PORT_HAS_NX	1	/* pages can be made not executable */
