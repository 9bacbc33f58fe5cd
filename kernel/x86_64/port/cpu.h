// SPDX-License-Identifier: MIT
/*
 * The calling CPU on x86-64: per-CPU data behind the GS base, the interrupt
 * flag, idling, the text alias and the counter. kernel/port.h says what each is.
 *
 * %gs:0 is struct cpu's self, %gs:8 its current, %gs:32 its id;
 * kernel/x86_64/cpu.c asserts the offsets. We never leave ring 0, so the GS base
 * is the same in every context and there is no swapgs.
 */
#pragma once

#include "base/types.h"

struct cpu;
struct thread;

#define X86_FLAGS_IF		(1UL << 9)
#define X86_MSR_GS_BASE		0xc0000101

/*
 * The text alias lies this far above the text, in a slot of the top-level table
 * that only the second root fills (mmu.c).
 */
#define X86_TEXT_ALIAS_OFFSET	(1UL << 46)

#define INSNS_NUM	1
#define INSNS_DEN	1

/* For base/host.h: where the current thread and this CPU's members are. */
#define PORT_CURRENT_PLACE	((struct host_place){ HOST_BASE_CPU, offsetof(struct cpu, current), true })
#define PORT_CPU_PLACE(member)	((struct host_place){ HOST_BASE_CPU, offsetof(struct cpu, member), false })

#define PORT_ISA	"x86_64"
#define PORT_HAS_NX	1	/* pages can be made not executable */

static inline notrace u64 x86_rdmsr(u32 msr)
{
	u32 low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (u64)high << 32 | low;
}

static inline notrace void x86_wrmsr(u32 msr, u64 value)
{
	__asm__ volatile("wrmsr" : : "c"(msr), "a"((u32)value), "d"((u32)(value >> 32)) : "memory");
}

/* Volatile: a thread may be on another CPU the next time it asks. */
static inline notrace unsigned int cpu_id(void)
{
	unsigned int id;

	__asm__ volatile("movl %%gs:32, %0" : "=r"(id));
	return id;
}

static inline notrace struct cpu *this_cpu(void)
{
	struct cpu *cpu;

	__asm__ volatile("movq %%gs:0, %0" : "=r"(cpu));
	return cpu;
}

/* Not volatile: the current thread is the same wherever it runs. */
static inline notrace struct thread *current(void)
{
	struct thread *t;

	__asm__("movq %%gs:8, %0" : "=r"(t) : : );
	return t;
}

static inline notrace void set_this_cpu(struct cpu *cpu)
{
	x86_wrmsr(X86_MSR_GS_BASE, (unsigned long)cpu);
}

static inline notrace void set_current(struct thread *t)
{
	__asm__ volatile("movq %0, %%gs:8" : : "r"(t) : "memory");
}

static inline notrace void irq_enable(void)
{
	__asm__ volatile("sti" : : : "memory");
}

static inline notrace void irq_disable(void)
{
	__asm__ volatile("cli" : : : "memory");
}

static inline notrace unsigned long x86_flags(void)
{
	unsigned long flags;

	__asm__ volatile("pushfq; popq %0" : "=r"(flags) : : "memory");
	return flags;
}

static inline notrace bool irqs_enabled(void)
{
	return x86_flags() & X86_FLAGS_IF;
}

static inline notrace unsigned long irq_save(void)
{
	unsigned long flags = x86_flags();

	irq_disable();
	return flags;
}

static inline notrace void irq_restore(unsigned long flags)
{
	if (flags & X86_FLAGS_IF)
		irq_enable();
	else
		irq_disable();
}

static inline notrace void cpu_relax(void)
{
	__asm__ volatile("pause" : : : "memory");
}

/* An interrupt that is pending already is taken right behind the hlt: sti waits for one instruction. */
static inline notrace void cpu_idle(void)
{
	__asm__ volatile("sti; hlt" : : : "memory");
}

static inline notrace void *text_alias(unsigned long addr)
{
	return (void *)(addr + X86_TEXT_ALIAS_OFFSET);
}

static inline notrace u64 cycles_read(void)
{
	u32 low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (u64)high << 32 | low;
}

/* Under -icount shift=0 the time stamp counter counts instructions. */
static inline notrace u64 insns_read(void)
{
	return cycles_read();
}
