// SPDX-License-Identifier: MIT
/*
 * CPUs that come up after text was patched: what they run first is the new text,
 * and rounds include them from then on. For a machine with more CPUs than smp= lets
 * come up at boot.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/host.h"
#include "core/fgraph.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

static unsigned long hits[MAX_CPUS];

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	hits[host_cpu_id()]++;
}

static struct ftrace_ops ops = { .func = count, .name = "late" };

/* The branches of a key that is on, and of one that is off. */
static DEFINE_STATIC_KEY_FALSE(turned_on);
static DEFINE_STATIC_KEY_TRUE(turned_off);
static bool turned;

static noinline notrace bool branches_are_right(void)
{
	return static_branch_unlikely(&turned_on) == turned && static_branch_likely(&turned_on) == turned &&
	       static_branch_unlikely(&turned_off) != turned && static_branch_likely(&turned_off) != turned;
}

static int turn(bool on)
{
	int err = static_key_begin();

	if (err)
		return err;
	err = static_key_queue(&turned_on.key, on ? 1 : -1);
	if (!err)
		err = static_key_queue(&turned_off.key, on ? -1 : 1);
	if (err) {
		static_key_abort();
		return err;
	}
	turned = on;
	return static_key_commit();
}

static notrace int call_all(void *arg)
{
	unsigned int wrong = !branches_are_right();

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
	report(turn(true) == 0, "two keys are turned");
	for (unsigned int cpu = early; cpu < machine.nr_cpus; cpu++) {
		nr_cpus = cpu + 1;
		smp_start_cpu(cpu);
		report(cpus[cpu].online, "CPU %u comes up", cpu);
		if (cpus[cpu].online)
			call_on(cpu, "its first work", NR_PATCH_TRACEES);
	}
	err = unregister_ftrace_function(&ops);
	report(turn(false) == 0, "and back");
	report(!err && text_hash() == hash, "off again, text is as it was: %d", err);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		if (cpus[cpu].online)
			call_on(cpu, "off", 0);
	ftrace_free_filter(&ops);
}

/* ---- the function graph's stacks of CPUs that come late ------------------------------- */

static unsigned long entries[MAX_CPUS], returns[MAX_CPUS];

static notrace int note_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	entries[host_cpu_id()]++;
	return 1;
}

static notrace void note_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	returns[host_cpu_id()]++;
}

static struct fgraph_ops graph = { .entryfunc = note_entry, .retfunc = note_return };

static void start_graph(const char *when)
{
	int err = ftrace_set_filter(&graph.ops, "patch_tracee_*", true) == NR_PATCH_TRACEES ? 0 : -1;

	if (!err)
		err = ftrace_set_filter(&graph.ops, "kernel_tick", false) == 1 ? 0 : -1;
	if (!err)
		err = register_ftrace_graph(&graph);
	report(!err, "%s: %d", when, err);
}

/* Ticks in its idle thread, which is the first that it has, and a thread's calls. */
static void use_late_cpu(unsigned int cpu)
{
	struct fgraph_stats before, after;
	struct thread *t;

	entries[cpu] = returns[cpu] = 0;
	fgraph_stats(&before);
	thread_sleep_ms(100);
	report(returns[cpu] && entries[cpu] == returns[cpu], "CPU %u idles: %lu entries, %lu returns", cpu,
	       entries[cpu], returns[cpu]);
	t = thread_create("late", call_all, NULL, cpu);
	report(t && !thread_join(t), "its results are right");
	fgraph_stats(&after);
	report(returns[cpu] > NR_PATCH_TRACEES, "CPU %u calls: %lu returns", cpu, returns[cpu]);
	report(after.no_stack == before.no_stack, "no call was without a stack");
}

DEFINE_TEST(late_cpu_graph)
{
	unsigned int early = nr_cpus;

	if (early == machine.nr_cpus) {
		report_skip("no CPU is left");
		return;
	}
	start_graph("registered");
	for (unsigned int cpu = early; cpu < machine.nr_cpus; cpu++) {
		nr_cpus = cpu + 1;
		smp_start_cpu(cpu);
		report(cpus[cpu].online, "CPU %u comes up", cpu);
		if (cpus[cpu].online)
			use_late_cpu(cpu);
	}
	report(!unregister_ftrace_graph(&graph), "unregistered");
	start_graph("and again");
	use_late_cpu(early);
	report(!unregister_ftrace_graph(&graph), "unregistered");
	ftrace_free_filter(&graph.ops);
}

/* ---- while text changes, and while a round is going on ---- */

static bool done;
static unsigned long flips;

/* Of all sites: also of what a new CPU runs first. */
static int flip_all(void *arg)
{
	int err = 0;

	while (!err && !smp_load_acquire(&done)) {
		err = register_ftrace_function(&ops);
		if (!err)
			err = unregister_ftrace_function(&ops);
		WRITE_ONCE(flips, flips + 1);
	}
	return err;
}

/* Starting a CPU keeps rounds away, so what waits for one stands still half-way. */
DEFINE_TEST(late_cpu_flips)
{
	unsigned int early = nr_cpus;
	struct thread *t;

	if (early == machine.nr_cpus) {
		report_skip("no CPU is left");
		return;
	}
	smp_store_release(&done, false);
	t = thread_create("flip", flip_all, NULL, early - 1);
	for (unsigned int cpu = early; cpu < machine.nr_cpus; cpu++) {
		unsigned long before = READ_ONCE(flips);

		while (t && READ_ONCE(flips) - before < 2)
			thread_sleep_ms(1);
		nr_cpus = cpu + 1;
		smp_start_cpu(cpu);
		report(cpus[cpu].online, "CPU %u comes up after %lu flips", cpu, READ_ONCE(flips));
	}
	smp_store_release(&done, true);
	report(t && thread_join(t) == 0 && flips, "all sites on and off, %lu times", flips);
}

static bool counting;

static int start_next(void *arg)
{
	while (!smp_load_acquire(&counting))
		cpu_relax();
	smp_start_cpu(nr_cpus++);
	smp_store_release(&done, true);
	return 0;
}

#define ROUND_MS	200	/* longer than a CPU needs to come */

/* What host.h promises of host_nr_online(): who counts heads may rely on it. */
static void count_heads(void *arg)
{
	unsigned int *changed = arg, first = host_nr_online();
	u64 end = board_clock() + board_clock_hz() * ROUND_MS / 1000;

	if (cpu_id() != 0)
		return;
	smp_store_release(&counting, true);
	while (board_clock() < end)
		cpu_relax();
	*changed += host_nr_online() != first;
}

DEFINE_TEST(late_cpu_rounds)
{
	unsigned int early = nr_cpus, changed = 0, rounds = 0;
	struct thread *t;

	if (early == machine.nr_cpus) {
		report_skip("no CPU is left");
		return;
	}
	smp_store_release(&done, false);
	t = thread_create("start", start_next, NULL, early - 1);
	for (; t && !smp_load_acquire(&done); rounds++)
		smp_on_each_cpu(count_heads, &changed, SMP_CALL_KERNEL);
	report(t && thread_join(t) == 0 && cpus[early].online, "CPU %u comes up among %u rounds", early, rounds);
	report(!changed && rounds, "no CPU comes in the middle of a round");
}
