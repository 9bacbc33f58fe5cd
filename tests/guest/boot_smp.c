// SPDX-License-Identifier: MIT
/*
 * All CPUs come up, tick, and take part in calls: each call runs once on each
 * CPU, on all at the same time, and is counted as exactly one IPI.
 */
#include "tests/test.h"

#include "base/atomic.h"
#include "base/host.h"
#include "base/string.h"
#include "kernel/cmdline.h"
#include "kernel/lock.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define ROUNDS		20
#define CALLERS		3

static unsigned int runs[MAX_CPUS];
static unsigned int bad_context;
static unsigned int arrived;

static void count_run(void *arg)
{
	if (irqs_enabled() || may_sleep())
		atomic_inc(&bad_context);
	runs[cpu_id()]++;
}

/* Ends only when all CPUs are in it together. */
static void meet(void *arg)
{
	unsigned int all = *(unsigned int *)arg;

	atomic_inc(&arrived);
	while (atomic_read(&arrived) % all)
		cpu_relax();
}

DEFINE_TEST(boot_cpus)
{
	unsigned int expected = cmdline_number("cpus", machine.nr_cpus, 1, MAX_CPUS);
	unsigned int wanted = cmdline_number("smp", expected, 1, MAX_CPUS);
	struct cpu *cpu;

	report(machine.nr_cpus == expected, "the machine has %u CPUs (%u expected)",
	       machine.nr_cpus, expected);
	report(smp_online() == min(wanted, expected), "%u are online", smp_online());
	report(host_nr_cpus() == machine.nr_cpus && host_nr_online() == smp_online(), "the runtime is told so");
	for_each_online_cpu(cpu) {
		report(cpu->self == cpu && cpu == &cpus[cpu->id] && cpu->idle, "CPU %u is set up",
		       cpu->id);
	}
	report(host_smp_started() && irqs_enabled(), "interrupts are on");
}

DEFINE_TEST(boot_ticks)
{
	unsigned long before[MAX_CPUS];
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		before[cpu->id] = READ_ONCE(cpu->ticks);
	for (unsigned int tries = 0; tries < 50; tries++) {
		bool all = true;

		thread_sleep_ms(50);
		for_each_online_cpu(cpu)
			all &= READ_ONCE(cpu->ticks) > before[cpu->id] + 2;
		if (all)
			break;
	}
	for_each_online_cpu(cpu) {
		report(READ_ONCE(cpu->ticks) > before[cpu->id] + 2, "CPU %u ticks (%lu)", cpu->id,
		       cpu->ticks - before[cpu->id]);
	}
}

struct counts {
	unsigned long calls[MAX_CPUS], rounds[MAX_CPUS][NR_HOST_ROUNDS + 1];
};

static void take_counts(struct counts *c)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu) {
		c->calls[cpu->id] = cpu->ipis[IPI_CALL];
		memcpy(c->rounds[cpu->id], cpu->call_rounds, sizeof(cpu->call_rounds));
	}
}

/* Did each CPU but @caller get @n calls, all of @kind? */
static bool counts_grew(const struct counts *before, unsigned int caller, unsigned long n,
			unsigned int kind)
{
	struct counts now;
	struct cpu *cpu;
	bool right = true;

	take_counts(&now);
	for_each_online_cpu(cpu) {
		unsigned int id = cpu->id;
		unsigned long expected = id == caller ? 0 : n;

		right &= now.calls[id] - before->calls[id] == expected;
		for (unsigned int k = 0; k <= NR_HOST_ROUNDS; k++)
			right &= now.rounds[id][k] - before->rounds[id][k] == (k == kind ? expected : 0);
	}
	return right;
}

static bool all_ran(unsigned int n)
{
	struct cpu *cpu;
	bool right = true;

	for_each_online_cpu(cpu)
		right &= runs[cpu->id] == n;
	memset(runs, 0, sizeof(runs));
	return right;
}

/* Pinned, so that we know who called. */
static int call_rounds(void *arg)
{
	struct counts before;

	for (unsigned int kind = 0; kind <= NR_HOST_ROUNDS; kind++) {
		take_counts(&before);
		for (unsigned int i = 0; i < ROUNDS; i++)
			smp_on_each_cpu(count_run, NULL, kind);
		report(all_ran(ROUNDS), "kind %u: %u calls ran once on each CPU", kind, ROUNDS);
		report(counts_grew(&before, cpu_id(), ROUNDS, kind),
		       "kind %u: one IPI a call on each other CPU, none here", kind);
	}
	return 0;
}

static unsigned int ended;

/* On the caller's CPU it is over long before the others are. */
static void end_late(void *caller)
{
	u64 end = board_clock() + board_clock_hz() / 100;

	while (cpu_id() != *(unsigned int *)caller && board_clock() < end)
		cpu_relax();
	atomic_inc(&ended);
}

DEFINE_TEST(smp_calls)
{
	unsigned int all = smp_online(), here = cpu_id();
	struct cpu *cpu;

	memset(runs, 0, sizeof(runs));
	for_each_online_cpu(cpu)
		thread_join(thread_create("caller", call_rounds, NULL, cpu->id));
	report(!bad_context, "each ran with interrupts off and must not sleep");

	arrived = 0;
	smp_on_each_cpu(meet, &all, SMP_CALL_KERNEL);
	report(arrived == all, "all %u CPUs were in it at the same time", all);

	ended = 0;
	smp_on_each_cpu(end_late, &here, SMP_CALL_KERNEL);
	report(atomic_read(&ended) == all, "all were awaited");
}

DEFINE_TEST(smp_one_cpu)
{
	struct cpu *cpu;

	memset(runs, 0, sizeof(runs));
	for_each_online_cpu(cpu) {
		unsigned int others = 0;

		smp_on_cpu(cpu->id, count_run, NULL);
		for (unsigned int i = 0; i < MAX_CPUS; i++)
			others += i == cpu->id ? 0 : runs[i];
		report(runs[cpu->id] == 1 && others == 0, "a call to CPU %u runs there alone", cpu->id);
		runs[cpu->id] = 0;
	}
}

static int call_many(void *arg)
{
	for (unsigned int i = 0; i < ROUNDS; i++)
		smp_on_each_cpu(count_run, NULL, HOST_ROUND_TEXT);
	return 0;
}

/* Callers on every CPU wait for one another and must not wait in a circle. */
DEFINE_TEST(smp_many_callers)
{
	struct thread *callers[CALLERS];
	unsigned long ipis = 0, before = 0;
	struct cpu *cpu;

	memset(runs, 0, sizeof(runs));
	for_each_online_cpu(cpu)
		before += cpu->ipis[IPI_CALL];
	for (unsigned int i = 0; i < CALLERS; i++)
		callers[i] = thread_create("caller", call_many, NULL, i % smp_online());
	for (unsigned int i = 0; i < CALLERS; i++)
		thread_join(callers[i]);
	for_each_online_cpu(cpu)
		ipis += cpu->ipis[IPI_CALL];
	report(all_ran(CALLERS * ROUNDS), "%u callers: every call ran once on each CPU", CALLERS);
	report(ipis - before == (unsigned long)CALLERS * ROUNDS * (smp_online() - 1),
	       "%lu IPIs, one a call and CPU", ipis - before);
}
