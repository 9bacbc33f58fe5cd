// SPDX-License-Identifier: MIT
/*
 * NMIs while text changes: the handler is itself a traced function that is being
 * switched, so it meets breakpoints inside an NMI, and NMIs come inside the
 * handler of a breakpoint.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/host.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static bool stop;
static unsigned long nr_calls[MAX_CPUS], nr_wrong[MAX_CPUS];
static unsigned long handler_hits;	/* in NMI context, on any CPU */
static struct dyn_ftrace *handler;

static notrace void count_handler(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	if (ip == handler->ip)
		atomic_inc(&handler_hits);
}

static struct ftrace_ops nmi_ops = { .func = count_handler, .name = "nmi" };

static int call_tracees(void *arg)
{
	unsigned int cpu = cpu_id();

	while (!READ_ONCE(stop)) {
		for (unsigned int i = 0; i < NR_PATCH_TRACEES; i++)
			nr_wrong[cpu] += patch_tracees[i](i) != i * 4;
		nr_calls[cpu] += NR_PATCH_TRACEES;
	}
	return 0;
}

static unsigned long nmis_received(void)
{
	unsigned long n = 0;

	for (unsigned int cpu = 0; cpu < smp_online(); cpu++)
		n += READ_ONCE(cpus[cpu].nmis);
	return n;
}

/* NMIs to all CPUs, one at a time: an NMI that comes while one is pending is lost. */
static void send_round(void)
{
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		unsigned long before = READ_ONCE(cpus[cpu].nmis);

		if (board_send_nmi(cpu))
			return;
		while (READ_ONCE(cpus[cpu].nmis) == before && !READ_ONCE(stop))
			thread_yield();
	}
}

static int send_nmis(void *arg)
{
	while (!READ_ONCE(stop)) {
		send_round();
		thread_yield();
	}
	return 0;
}

/* While it is on, every NMI is seen; the sender is not running yet. */
static void check_counts(void)
{
	unsigned long nmis = nmis_received(), hits = handler_hits;
	int error = register_ftrace_function(&nmi_ops);

	report(!error, "registered: %d", error);
	for (unsigned int i = 0; i < 20; i++)
		send_round();
	nmis = nmis_received() - nmis;
	error = unregister_ftrace_function(&nmi_ops);
	hits = handler_hits - hits;
	report(!error && nmis >= 20 && hits == nmis, "NMIs: %lu, seen: %lu", nmis, hits);
	hits = handler_hits;
	send_round();
	report(handler_hits == hits, "none is seen once it is off");
}

static void flip(unsigned int flips)
{
	int error = 0;

	for (unsigned int i = 0; i < flips && !error; i++) {
		error = register_ftrace_function(&nmi_ops);
		if (!error)
			error = unregister_ftrace_function(&nmi_ops);
	}
	report(!error, "%u flips: %d", flips, error);
}

static void flip_under_nmis(unsigned int flips)
{
	struct thread *threads[MAX_CPUS + 1];
	struct text_poke_stats before, after;
	unsigned long nmis = nmis_received(), calls = 0, wrong = 0;
	unsigned int nr = smp_online();

	stop = false;
	text_poke_stats(&before, NULL);
	for (unsigned int cpu = 0; cpu < nr; cpu++)
		threads[cpu] = thread_create("tracees", call_tracees, NULL, cpu);
	threads[nr] = thread_create("nmis", send_nmis, NULL, nr - 1);
	flip(flips);
	WRITE_ONCE(stop, true);
	for (unsigned int i = 0; i <= nr; i++)
		if (threads[i])
			thread_join(threads[i]);
	for (unsigned int cpu = 0; cpu < nr; cpu++) {
		calls += nr_calls[cpu];
		wrong += nr_wrong[cpu];
	}
	text_poke_stats(&after, NULL);
	nmis = nmis_received() - nmis;
	report(calls && nmis && wrong == 0, "%lu calls, %lu wrong, under %lu NMIs", calls, wrong, nmis);
	report_info("traps %lu, late traps %lu, NMIs seen %lu", after.traps - before.traps,
		    after.late_traps - before.late_traps, handler_hits);
	if (strcmp(text_poke_method_name(), "breakpoint") == 0)
		report(nr == 1 || after.traps > before.traps, "breakpoints were hit");
}

DEFINE_TEST(patch_nmi)
{
	u64 hash = text_hash();
	int taken;

	if (board_send_nmi(0)) {
		report_skip("this machine has no NMI");
		return;
	}
	handler = site_of_function((unsigned long)kernel_nmi);
	report(handler != NULL, "the NMI handler has a site");
	if (!handler)
		return;
	taken = ftrace_set_filter(&nmi_ops, "kernel_nmi", true);
	report(taken == 1, "it is traceable");
	check_counts();
	taken = ftrace_set_filter(&nmi_ops, "patch_tracee_*", false);
	report(taken == NR_PATCH_TRACEES, "%d tracees with it", taken);
	flip_under_nmis(cmdline_number("flips", 20, 1, 1000000));
	ftrace_free_filter(&nmi_ops);
	report(text_hash() == hash, "text is as it was");
}
