// SPDX-License-Identifier: MIT
/*
 * CPUs that come up after text was patched: what they run first is the new text,
 * and rounds include them from then on. For a machine with more CPUs than smp= lets
 * come up at boot.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/host.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/text_poke.h"

static unsigned long hits[MAX_CPUS];

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	hits[host_cpu_id()]++;
}

static struct ftrace_ops ops = { .func = count, .name = "late" };

static notrace int call_all(void *arg)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < NR_PATCH_TRACEES; i++)
		wrong += patch_tracees[i](i) != 4 * i;
	return (int)wrong;
}

static void call_on(unsigned int cpu, const char *when, unsigned long expected)
{
	struct thread *t;
	int wrong;

	hits[cpu] = 0;
	t = thread_create("late", call_all, NULL, cpu);
	wrong = t ? thread_join(t) : -1;
	report(!wrong && hits[cpu] == expected, "CPU %u, %s: %lu calls traced, %d results wrong", cpu, when,
	       hits[cpu], wrong);
}

DEFINE_TEST(late_cpu)
{
	unsigned int early = nr_cpus;
	u64 hash = text_hash();
	int err;

	if (early == machine.nr_cpus) {
		report_skip("no CPU is left");
		return;
	}
	/* The old form has run often on the CPUs that are there. */
	for (unsigned int cpu = 0; cpu < early; cpu++)
		for (unsigned int i = 0; i < 3; i++)
			call_on(cpu, "before", 0);
	err = ftrace_set_filter(&ops, "patch_tracee_*", true) == NR_PATCH_TRACEES ? 0 : -1;
	if (!err)
		err = register_ftrace_function(&ops);
	report(!err, "%u sites are on: %d", NR_PATCH_TRACEES, err);
	for (unsigned int cpu = early; cpu < machine.nr_cpus; cpu++) {
		nr_cpus = cpu + 1;
		smp_start_cpu(cpu);
		report(cpus[cpu].online, "CPU %u comes up", cpu);
		if (cpus[cpu].online)
			call_on(cpu, "its first work", NR_PATCH_TRACEES);
	}
	err = unregister_ftrace_function(&ops);
	report(!err && text_hash() == hash, "off again, text is as it was: %d", err);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		if (cpus[cpu].online)
			call_on(cpu, "off", 0);
	ftrace_free_filter(&ops);
}
