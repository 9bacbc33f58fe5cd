// SPDX-License-Identifier: MIT
/* Per-CPU data: one struct cpu each, in an array; this_cpu() finds ours. */
#pragma once

#include "base/types.h"
#include "base/host.h"
#include "kernel/board.h"

struct smp_call;

struct cpu {
	struct cpu *self;		/* first: x86 reads it through %gs:0 */
	struct thread *current;		/* x86 reads it through %gs:8 */
	unsigned long scratch[2];	/* for entry code */
	unsigned int id;
	bool online;
	volatile bool watching;		/* not idle, not entering, not offline */
	bool need_resched;
	unsigned long shadow_sp;	/* x86: the running thread's, through %gs:40 */
	unsigned int preempt_off;	/* depth of preempt_disable() */
	unsigned int irq_depth;		/* interrupts and NMIs nested here */
	unsigned int locks_held;	/* spinlocks, for might_sleep() */
	struct thread *idle;
	struct pt_regs *irq_regs;	/* innermost interrupted context */
	struct smp_call *call;		/* posted by smp_on_each_cpu() */
	unsigned long ticks;
	unsigned long ipis[NR_IPIS];			/* received */
	unsigned long call_rounds[NR_HOST_ROUNDS + 1];	/* IPI_CALL received, by kind; last: the kernel's own */
	u64 longest_call;		/* in one IPI_CALL, board_clock() ticks; smp_longest_call() */
	unsigned long nmis;
	unsigned long switches;
	unsigned long fixup_pc;		/* kernel/fault.h */
	unsigned long fault_addr;
	unsigned long stack_top;	/* boot or idle stack */
	unsigned long counters[64];	/* host_counters() */
} __aligned(64);

extern struct cpu cpus[MAX_CPUS];
extern unsigned int nr_cpus;		/* that run, or are being started: smp= */

#define for_each_online_cpu(cpu) \
	for ((cpu) = cpus; (cpu) < cpus + nr_cpus; (cpu)++) \
		if ((cpu)->online)
