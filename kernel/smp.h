// SPDX-License-Identifier: MIT
/* Starting the other CPUs, and running functions on all of them. */
#pragma once

#include "base/types.h"
#include "kernel/percpu.h"

/* Other CPUs, interrupts or threads may be running: set once, before the first of them. */
extern bool smp_started;

#define SMP_CALL_KERNEL	NR_HOST_ROUNDS	/* kind of the kernel's own calls */

/* What a CPU finds in its `call` when IPI_CALL comes. */
struct smp_call {
	void (*fn)(void *arg);
	void *arg;
	unsigned int kind;
	unsigned int pending;	/* CPUs that have not finished */
};

/**
 * smp_start() - start every CPU of `machine`, up to the command line's smp=
 *
 * Return: number online, the boot CPU included. One that does not come is reported.
 */
unsigned int smp_start(void);

/**
 * smp_start_cpu() - start one CPU and wait until it is online
 * @id: a CPU of `machine` that is not online, < nr_cpus
 *
 * Thread context; calls of all CPUs wait for it. Failure is reported; look at cpus[@id].online.
 */
void smp_start_cpu(unsigned int id);

/* Keep every smp_on_each_cpu() and smp_on_cpu() waiting meanwhile. Thread context. */
void smp_hold_calls(void);
void smp_release_calls(void);
unsigned int smp_online(void);

/**
 * smp_on_each_cpu() - run a function on every online CPU at once, wait for all
 * @fn: runs with interrupts off, on the caller's CPU too
 * @arg: its argument
 * @kind: enum host_round or SMP_CALL_KERNEL; counted per CPU
 *
 * Thread context, interrupts on, no spinlock held. One at a time: callers queue
 * on a mutex. Every CPU ends with arch_text_sync().
 */
void smp_on_each_cpu(void (*fn)(void *arg), void *arg, unsigned int kind);

/* Run on one CPU and wait; the same rules. */
void smp_on_cpu(unsigned int cpu, void (*fn)(void *arg), void *arg);

/* Longest time, in board_clock() ticks, that one of these kept a CPU from its work since this was last asked. */
u64 smp_longest_call(struct cpu *cpu);

/* The receiving end: what IPI_CALL and IPI_STOP do. */
void smp_handle_call(void);
__noreturn void smp_halt(void);
bool smp_stopping(void);

/* A panic: halt all other CPUs as far as they listen. Any context. */
void smp_stop_others(void);
