// SPDX-License-Identifier: MIT
/*
 * Running a function on other CPUs.
 *
 * A caller serves IPIs while it waits: it spins with interrupts on. It runs the
 * function itself once all others have taken the call, so that one that does not is
 * found by who can say which; inside the function all may wait for one another. Callers
 * queue on a mutex, so a CPU has one call at a time and each call is one IPI.
 */
#include "kernel/smp.h"

#include "arch/arch.h"
#include "base/atomic.h"
#include "base/bug.h"
#include "base/print.h"
#include "kernel/lock.h"
#include "kernel/port.h"
#include "kernel/thread.h"

#define ANSWER_SECONDS	60	/* an emulated CPU may not run for seconds */

struct cpu cpus[MAX_CPUS];
unsigned int nr_cpus = 1;
bool smp_started;

static DEFINE_MUTEX(call_mutex);
static bool stopping;

unsigned int smp_online(void)
{
	struct cpu *cpu;
	unsigned int n = 0;

	for_each_online_cpu(cpu)
		n++;
	return n;
}

/* The pointer is published before the IPI; the receiver reads it behind the IPI. */
static void post(struct cpu *cpu, struct smp_call *call)
{
	BUG_ON(cpu->call);
	smp_store_release(&cpu->call, call);
	board_send_ipi(cpu->id, IPI_CALL);
}

void smp_handle_call(void)
{
	struct cpu *cpu = this_cpu();
	struct smp_call *call = smp_load_acquire(&cpu->call);
	u64 start = board_clock(), end;

	BUG_ON(!call);
	cpu->call_rounds[call->kind]++;
	WRITE_ONCE(cpu->call, NULL);
	call->fn(call->arg);
	arch_text_sync();
	end = board_clock();
	cpu->longest_call = max(cpu->longest_call, end - start);
	atomic_fetch_sub(&call->pending, 1u);	/* last: the call is on its caller's stack */
}

u64 smp_longest_call(struct cpu *cpu)
{
	u64 longest = READ_ONCE(cpu->longest_call);

	WRITE_ONCE(cpu->longest_call, 0);
	return longest;
}

static void run_here(struct smp_call *call)
{
	unsigned long flags = irq_save();

	call->fn(call->arg);
	arch_text_sync();
	irq_restore(flags);
}

static bool is_taken(const struct smp_call *call)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu) {
		if (READ_ONCE(cpu->call))
			return false;
	}
	return true;
}

/* Acquire pairs with the decrement in smp_handle_call(): all that the others did is done. */
static bool is_done(const struct smp_call *call)
{
	return !smp_load_acquire(&call->pending);
}

static void wait_until(bool (*so)(const struct smp_call *call), const struct smp_call *call)
{
	u64 end = board_clock() + ANSWER_SECONDS * board_clock_hz();
	struct cpu *cpu;

	while (!so(call)) {
		cpu_relax();
		if (board_clock() < end)
			continue;
		for_each_online_cpu(cpu) {
			if (cpu->call)
				pr_info("CPU %u does not take IPIs\n", cpu->id);
		}
		host_panic(NULL, "a call to all CPUs was not answered");
	}
}

static bool call_goes_to(const struct cpu *cpu, unsigned int only)
{
	return cpu != this_cpu() && (only == THREAD_ANY_CPU || cpu->id == only);
}

static void call_cpus(struct smp_call *call, unsigned int only)
{
	struct cpu *cpu;

	preempt_disable();
	for_each_online_cpu(cpu)
		call->pending += call_goes_to(cpu, only);
	for_each_online_cpu(cpu) {
		if (call_goes_to(cpu, only))
			post(cpu, call);
	}
	wait_until(is_taken, call);
	if (only == THREAD_ANY_CPU || only == cpu_id())
		run_here(call);
	wait_until(is_done, call);
	preempt_enable();
}

void smp_hold_calls(void)
{
	mutex_lock(&call_mutex);
}

void smp_release_calls(void)
{
	mutex_unlock(&call_mutex);
}

void smp_on_each_cpu(void (*fn)(void *arg), void *arg, unsigned int kind)
{
	struct smp_call call = { .fn = fn, .arg = arg, .kind = kind };

	if (!smp_started) {
		run_here(&call);
		return;
	}
	mutex_lock(&call_mutex);
	call_cpus(&call, THREAD_ANY_CPU);
	mutex_unlock(&call_mutex);
}

void smp_on_cpu(unsigned int cpu, void (*fn)(void *arg), void *arg)
{
	struct smp_call call = { .fn = fn, .arg = arg, .kind = SMP_CALL_KERNEL };

	BUG_ON(cpu >= nr_cpus || !cpus[cpu].online);
	mutex_lock(&call_mutex);
	call_cpus(&call, cpu);
	mutex_unlock(&call_mutex);
}

bool smp_stopping(void)
{
	return READ_ONCE(stopping);
}

__noreturn void smp_halt(void)
{
	irq_disable();
	this_cpu()->online = false;
	for (;;)
		cpu_relax();
}

/* No answer is waited for: a CPU may be stuck with interrupts off, and we are about to end. */
void smp_stop_others(void)
{
	struct cpu *cpu;

	if (!smp_started)
		return;
	WRITE_ONCE(stopping, true);
	smp_mb();
	for_each_online_cpu(cpu) {
		if (cpu == this_cpu())
			continue;
		board_send_ipi(cpu->id, IPI_STOP);
		if (board_send_nmi(cpu->id))
			continue;	/* none on this machine: the IPI has to do */
	}
}
