// SPDX-License-Identifier: MIT
/*
 * What switching call sites costs: rounds, interrupts, traps, instructions.
 *
 * Two boots. With several CPUs an ops is registered on and taken off N of the
 * big image's functions, for each method, limit of the queue and load of the
 * other CPUs, and what the counters of the kernel's IPI layer say is set beside
 * what the runtime says: they must agree. With one CPU under an instruction
 * counter the patch layer alone is driven, and its instructions are counted; of
 * functions that are no neighbours, too.
 *
 * All methods, limits and completions, or those that the command line names.
 * After each switch every function is called and its result checked, and the
 * ops must have seen all of the calls or none. A row that fails ends the run.
 */
#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "base/string.h"
#include "bench/bench.h"
#include "bench/disturb.h"
#include "bench/generated.h"
#include "bench/load.h"
#include "bench/measure.h"
#include "bench/patch_report.h"
#include "bench/tracee.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/text_poke.h"

/* What would take minutes is skipped and said. Where instructions are counted, a round has nobody to wait for. */
#define MOST_ROUNDS_COUNTED	5000
#define MOST_ROUNDS_IDLE	1500
#define MOST_ROUNDS_BUSY	250

#define SPREAD	2
#define WARM_UPS	2

static const struct patch_method methods[] = {
	{ "breakpoint", 3, -1 },
	{ "atomic", 3, -1 },
	{ "nosync", 1, 1 },
	{ "nosync", 1, 0 },
	{ "stop", 1, -1 },
	{ "local", 0, -1 },
};

static const unsigned int limits[] = { 0, 256, 16, 1 };		/* 0: none */

/* What the command line names of these, as the kernel took it; NULL and -1: all. */
static struct {
	const char *method;
	int limit, completion;
} only = { NULL, -1, -1 };

static unsigned long seen[MAX_CPUS];	/* calls, by CPU */
static unsigned long *ips;		/* of all functions of the big image */
static struct dyn_ftrace **chosen;	/* sites whose switching is counted in instructions; all at first */

static notrace void count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	seen[host_cpu_id()]++;
}

static struct ftrace_ops patch_ops = { .func = count_call, .name = "patch bench" };

/* ---- one switch, checked ------------------------------------------------- */

/* Without completion nobody has promised that a CPU runs the new instructions by now. */
static bool calls_are_promised(const struct patch_row *row)
{
	return row->method->completion != 0 || !row->busy;
}

/* Call each function once: results as generated, and all calls seen or none. */
static int check_calls(const struct patch_row *row, bool enabled)
{
	unsigned int nr = row->nr_sites;
	unsigned long before, after;
	unsigned int wrong = 0;

	preempt_disable();
	before = seen[cpu_id()];
	for (unsigned int i = 0; i < nr * row->spread; i += row->spread)
		wrong += generated_functions[i](7) != (int)(7 + i);
	after = seen[cpu_id()];
	preempt_enable();
	if (!wrong && (after - before == (enabled ? nr : 0) || !calls_are_promised(row)))
		return 0;
	pr_err("patch: %u wrong results; %lu of %u calls seen while %s\n",
	       wrong, after - before, nr, enabled ? "on" : "off");
	return 1;
}

static int check_ipis(const struct patch_counters *c)
{
	unsigned long expected = smp_online() > 1 ? c->rounds + c->rounds_code + c->rounds_quiesce : 0;

	if (c->ipis == expected)
		return 0;
	pr_err("patch: CPU 1 took %lu IPIs for %lu + %lu + %lu rounds\n",
	       c->ipis, c->rounds, c->rounds_code, c->rounds_quiesce);
	return 1;
}

/* The runtime says how many sites of its batch crossed; here the addresses were looked at. */
static int check_crossing(const struct patch_row *row, unsigned long crossing)
{
	if (crossing == row->crossing)
		return 0;
	pr_err("patch: %lu sites crossed, there are %u\n", crossing, row->crossing);
	return 1;
}

/* ---- several CPUs: rounds and IPIs ------------------------------------------- */

static int switch_all(const struct patch_row *row, bool on)
{
	struct patch_counters start = patch_counters(), taken;
	int err = on ? register_ftrace_function(&patch_ops) : unregister_ftrace_function(&patch_ops);

	taken = patch_counters_since(&start);
	if (err) {
		pr_err("patch: cannot switch %s: error %d\n", on ? "on" : "off", err);
		return 1;
	}
	if (check_calls(row, on) || check_ipis(&taken) || check_crossing(row, taken.crossing))
		return 1;
	patch_put_counters(row, on ? "enable" : "disable", &taken);
	return 0;
}

static int switch_row(const struct patch_row *row)
{
	int err;

	patch_print_row(row);
	patch_print_calls("before");
	if (ftrace_set_filter_ips(&patch_ops, ips, row->nr_sites, true)) {
		pr_err("patch: cannot choose %u functions\n", row->nr_sites);
		return 1;
	}
	if (row->busy)
		load_start(generated_functions, row->nr_sites);
	err = switch_all(row, true) || switch_all(row, false);
	if (row->busy && load_stop()) {
		pr_err("patch: a busy CPU saw a wrong result\n");
		err = 1;
	}
	return err;
}

/* ---- one CPU: instructions ----------------------------------------------------- */

static u64 insns_now(void)
{
	return insns_read() * INSNS_NUM / INSNS_DEN;
}

static void choose_sites(const struct patch_row *row)
{
	for (unsigned int i = 0; i < row->nr_sites; i++)
		chosen[i] = site_of_function((unsigned long)generated_functions[i * row->spread]);
}

/* Move @nr chosen sites to @target by the patch layer alone. Return: instructions, 0 on an error. */
static u64 count_batch(unsigned int nr, unsigned long target)
{
	struct dyn_ftrace *const *rec = chosen, *const *end = chosen + nr;
	u64 start = insns_now();

	if (text_poke_begin())
		return 0;
	for (; rec < end; rec++) {
		if (site_queue(*rec, target)) {
			text_poke_abort();
			return 0;
		}
	}
	return text_poke_commit() ? 0 : insns_now() - start;
}

static int count_switch(const struct patch_row *row, unsigned long target)
{
	const char *op = target ? "enable" : "disable";
	struct text_poke_stats last;
	u64 insns, pause;

	text_poke_longest_pause();
	insns = count_batch(row->nr_sites, target);
	pause = ticks_to_ns(text_poke_longest_pause());
	text_poke_stats(NULL, &last);
	if (!insns || check_calls(row, target != 0) || check_crossing(row, last.crossing))
		return 1;
	pr_info("  %-8s %llu instructions a site, longest pause %llu, %lu cache operations\n", op,
		(unsigned long long)(insns / row->nr_sites), (unsigned long long)pause, last.cache_ops);
	patch_put(row, op, "insns_per_site", "instructions", insns * 100 / row->nr_sites);
	patch_put(row, op, "longest_pause_insns", "instructions", pause * 100);
	patch_put(row, op, "cache_ops", "operations", last.cache_ops * 100);
	return 0;
}

/* A trampoline to lead the sites to: that of the ops on a function of its own. */
static int count_row(const struct patch_row *row)
{
	unsigned long target;
	int err = 0;

	patch_print_row(row);
	if (ftrace_set_filter_ip(&patch_ops, (unsigned long)tracee_relevant, false, true) ||
	    register_ftrace_function(&patch_ops))
		return 1;
	target = site_target(site_of_function((unsigned long)tracee_relevant));
	choose_sites(row);
	/* Often enough for their memory: queues of this size are kept, and take turns. */
	for (unsigned int i = 0; i < WARM_UPS && !err; i++)
		err = !count_batch(row->nr_sites, target) || !count_batch(row->nr_sites, 0);
	err = err || count_switch(row, target) || count_switch(row, 0);
	return unregister_ftrace_function(&patch_ops) || err;
}

/* ---- the table ------------------------------------------------------------------- */

static void narrow_table(void)
{
	if (cmdline_get("poke_method", NULL))
		only.method = text_poke_method_name();
	if (cmdline_get("poke_batch", NULL))
		only.limit = (int)text_poke_limit();
	if (cmdline_get("completion", NULL))
		only.completion = text_poke_completion();
}

static bool is_named(const struct patch_method *m)
{
	if (only.method && strcmp(m->name, only.method) != 0)
		return false;
	return only.completion < 0 || m->completion < 0 || m->completion == only.completion;
}

/* An emulator may translate an instruction byte by byte, half of it old: never under load. */
static bool is_unsafe_here(const struct patch_row *row)
{
	if (strcmp(row->method->name, "atomic") != 0 || !row->busy || !machine.emulated)
		return false;
	patch_print_row(row);
	pr_info("  skipped: one store of an instruction is not one for an emulator's translator\n");
	return true;
}

static bool takes_too_long(const struct patch_row *row)
{
	unsigned int batches = row->limit ? DIV_ROUND_UP(row->nr_sites, row->limit) : 1;
	unsigned int most = row->busy ? MOST_ROUNDS_BUSY : MOST_ROUNDS_IDLE;

	if (measuring_insns())
		most = MOST_ROUNDS_COUNTED;
	if (row->method->rounds * batches <= most)
		return false;
	patch_print_row(row);
	pr_info("  skipped: up to %u rounds each way\n", row->method->rounds * batches);
	return true;
}

static unsigned int count_crossing(unsigned int nr, unsigned int spread)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < nr * spread; i += spread)
		n += arch_text_crosses(ips[i], ARCH_INSN_BYTES);
	return n;
}

static int run_row(const struct patch_row *row)
{
	text_poke_set_limit(row->limit);
	if (row->method->completion >= 0)
		text_poke_set_completion(row->method->completion);
	if (is_unsafe_here(row) || takes_too_long(row))
		return 0;
	return measuring_insns() ? count_row(row) : switch_row(row);
}

static int run_limits(struct patch_row *row)
{
	if (only.limit >= 0) {
		row->limit = (unsigned int)only.limit;
		return run_row(row);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++) {
		row->limit = limits[i];
		if (row->limit && (!row->method->rounds || row->nr_sites <= row->limit))
			continue;
		if (run_row(row))
			return 1;
	}
	return 0;
}

/* As a filter chooses them: each site is a change of its own for the queue. */
static int run_scattered(const struct patch_method *method)
{
	const struct patch_row row = {
		.method = method,
		.nr_sites = nr_generated / SPREAD,
		.crossing = count_crossing(nr_generated / SPREAD, SPREAD),
		.spread = SPREAD,
	};

	return run_row(&row);
}

static int run_method(const struct patch_method *method, bool busy)
{
	const unsigned int sizes[] = { 1, 100, 1000, nr_generated_regular, nr_generated };

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct patch_row row = {
			.method = method,
			.nr_sites = sizes[i],
			.crossing = count_crossing(sizes[i], 1),
			.spread = 1,
			.busy = busy,
		};

		/* All with the crossing ones: only where that is a difference. */
		if (sizes[i] == nr_generated && !row.crossing)
			continue;
		if (run_limits(&row))
			return 1;
	}
	return measuring_insns() && only.limit <= 0 ? run_scattered(method) : 0;
}

static int run_table(void)
{
	bool others = smp_online() > 1 && !measuring_insns();
	int err = 0;

	pr_info("patch: left out: %s%s\n",
		only.limit < 0 ? "limits of methods without rounds, and those that no batch reaches"
			       : "other limits than the one that was named",
		others ? "" : "; busy CPUs, as there is one");
	for (const struct patch_method *m = methods; m < methods + ARRAY_SIZE(methods) && !err; m++) {
		if (!is_named(m) || text_poke_select(m->name))
			continue;
		err = run_method(m, false);
		if (!err && others)
			err = run_method(m, true);
	}
	text_poke_set_limit(0);
	text_poke_set_completion(true);
	return text_poke_select("auto") || err;
}

/* ---- all of it ------------------------------------------------------------------ */

static int find_functions(void)
{
	ips = host_alloc(nr_generated * sizeof(*ips));
	chosen = host_alloc(nr_generated * sizeof(*chosen));
	if (!ips || !chosen)
		return -ENOMEM;
	for (unsigned int i = 0; i < nr_generated; i++) {
		chosen[i] = site_of_function((unsigned long)generated_functions[i]);
		if (!chosen[i])
			return -ENOENT;
		ips[i] = chosen[i]->ip;
	}
	return 0;
}

/* The last of the sites that the trap is measured with. */
static void call_last(void)
{
	generated_functions[nr_generated_regular - 1](7);
}

static int bench_thread(void *arg)
{
	int err = find_functions();

	narrow_table();
	if (err)
		pr_err("patch: cannot list the functions: error %d\n", err);
	else
		err = (measuring_insns() && disturb_measure(chosen, nr_generated_regular, call_last)) || run_table();
	ftrace_free_filter(&patch_ops);
	host_free(ips);
	host_free(chosen);
	return err;
}

static int bench_patch(void)
{
	struct thread *t;

	if (!generated_functions) {
		pr_err("patch: this image has no generated functions; boot big.elf\n");
		return 1;
	}
	t = thread_create("bench patch", bench_thread, NULL, 0);
	return t ? thread_join(t) : 1;
}

DEFINE_BENCH(patch, bench_patch);
