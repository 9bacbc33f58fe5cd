// SPDX-License-Identifier: MIT
/*
 * The ARMv5 port's inline answers to kernel/port.h.
 *
 * There is one CPU and no thread register, so the CPU and its thread are
 * globals. FIQ stays masked for good; "interrupts off" is CPSR.I.
 */
#pragma once

#include "base/types.h"

struct cpu;
struct thread;

u64 board_clock(void);	/* kernel/board.h */

#define ARM_CPSR_IRQ_OFF	0x80u

/* Text at addr is writable at addr + this, while mmu_text_open() is in force. */
#define ARM_TEXT_ALIAS		0x80000000ul

/* Instructions for a difference of insns_read(), under icount: 24 MHz of 1 ns instructions. */
#define INSNS_NUM		1000
#define INSNS_DEN		24

/* For base/host.h: where the current thread and this CPU's members are. */
#define PORT_CURRENT_PLACE	((struct host_place){ HOST_BASE_ADDRESS, (unsigned long)&current_thread, true })
#define PORT_CPU_PLACE(member)	((struct host_place){ HOST_BASE_ADDRESS, (unsigned long)&cpus[0].member, false })

#define PORT_ISA	"arm"
#define PORT_HAS_NX	0	/* pages can be made not executable */

extern struct thread *current_thread;

/* kernel/percpu.h includes us, so struct cpu has no size yet: the array by its symbol and alignment alone. */
extern char arm_first_cpu[] __asm__("cpus") __aligned(64);

static always_inline unsigned int cpu_id(void)
{
	return 0;
}

static always_inline struct cpu *this_cpu(void)
{
	return (struct cpu *)arm_first_cpu;
}

static always_inline void set_this_cpu(struct cpu *cpu)
{
	(void)cpu;
}

static always_inline struct thread *current(void)
{
	return READ_ONCE(current_thread);
}

static always_inline void set_current(struct thread *t)
{
	WRITE_ONCE(current_thread, t);
}

static always_inline unsigned long arm_cpsr(void)
{
	unsigned long cpsr;

	__asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
	return cpsr;
}

/* Writes mode and masks only; the flags stay the compiler's. */
static always_inline void arm_set_cpsr_control(unsigned long cpsr)
{
	__asm__ volatile("msr cpsr_c, %0" : : "r"(cpsr) : "memory");
}

static always_inline unsigned long irq_save(void)
{
	unsigned long cpsr = arm_cpsr();

	arm_set_cpsr_control(cpsr | ARM_CPSR_IRQ_OFF);
	return cpsr;
}

static always_inline void irq_restore(unsigned long flags)
{
	arm_set_cpsr_control(flags);
}

static always_inline void irq_enable(void)
{
	arm_set_cpsr_control(arm_cpsr() & ~ARM_CPSR_IRQ_OFF);
}

static always_inline void irq_disable(void)
{
	arm_set_cpsr_control(arm_cpsr() | ARM_CPSR_IRQ_OFF);
}

static always_inline bool irqs_enabled(void)
{
	return !(arm_cpsr() & ARM_CPSR_IRQ_OFF);
}

static always_inline void cpu_relax(void)
{
	barrier();
}

/*
 * Wait for interrupt (ARM926EJ-S TRM, CP15 c7,c0,4) ends on a masked one too:
 * one that comes before it is taken right after, when interrupts are let in.
 */
static always_inline void cpu_idle(void)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c0, 4" : : "r"(0) : "memory");
	irq_enable();
}

static always_inline void *text_alias(unsigned long addr)
{
	return (void *)(addr + ARM_TEXT_ALIAS);
}

/* No cycle or instruction counter in this core: both are the board's clock. */
static always_inline u64 cycles_read(void)
{
	return board_clock();
}

static always_inline u64 insns_read(void)
{
	return board_clock();
}
