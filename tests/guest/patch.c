// SPDX-License-Identifier: MIT
/* Changing live text in the guest: what is refused, and flips under calling CPUs. */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "arch/arch.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

/* ---- refusals ---- */

/* The changes that switch the first @n tracees to a target, @bad with wrong old bytes. */
static int queue_tracees(unsigned int n, unsigned int bad)
{
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);
	int error = 0;

	for (unsigned int i = 0; i < n && !error; i++) {
		struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[i]);
		struct text_poke pokes[ARCH_SITE_POKES];
		unsigned int nr;

		if (!rec)
			return -ENOENT;
		nr = arch_site_pokes(rec->ip, 0, target, pokes);
		if (i == bad)
			pokes[0].old[ARCH_INSN_BYTES - 1] ^= 0x55;
		for (unsigned int k = 0; k < nr && !error; k++)
			error = text_poke_queue(pokes[k].addr, pokes[k].old, pokes[k].new,
						pokes[k].len);
	}
	return error;
}

DEFINE_TEST(patch_mismatch)
{
	static const unsigned int bad_ones[] = { 0, 1, 255, 256, 299 };
	struct text_poke_stats before, after;
	u64 hash = text_hash();

	text_poke_stats(&before, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(bad_ones); i++) {
		int error = text_poke_begin();

		report(!error, "a batch opens");
		if (!error)
			error = queue_tracees(300, bad_ones[i]);
		report(!error, "300 sites are queued");
		error = text_poke_commit();
		report(error == -EINVAL, "change %u of 300 expects other bytes: %d", bad_ones[i], error);
		report(text_hash() == hash, "no byte of text changed");
	}
	text_poke_stats(&after, NULL);
	report(after.refused - before.refused == ARRAY_SIZE(bad_ones), "each refusal is counted");
	report(after.pokes == before.pokes && after.rounds == before.rounds, "no round was made");
}

/* One change of a tracee's site behind the back of its record. Nobody calls it meanwhile. */
static int change_site(unsigned int tracee, unsigned int which, unsigned long from, unsigned long to)
{
	struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[tracee]);
	struct text_poke pokes[ARCH_SITE_POKES];
	int error = text_poke_begin();

	if (error)
		return error;
	if (which < arch_site_pokes(rec->ip, from, to, pokes))
		error = text_poke_queue(pokes[which].addr, pokes[which].old, pokes[which].new, pokes[which].len);
	if (!error)
		return text_poke_commit();
	text_poke_abort();
	return error;
}

static int switch_tracees(unsigned int n, unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = 0; i < n && !error; i++)
		error = site_queue(site_of_function((unsigned long)patch_tracees[i]), target);
	if (!error)
		return text_poke_commit();
	text_poke_abort();
	return error;
}

/* Each of the words, or the instruction, that a site is made of, in each place of a batch. */
DEFINE_TEST(patch_site_mismatch)
{
	static const unsigned int bad_ones[] = { 0, 1, 255, 256, 299 };
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);
	u64 hash = text_hash();

	for (unsigned int i = 0; i < ARRAY_SIZE(bad_ones) * ARCH_SITE_POKES; i++) {
		unsigned int bad = bad_ones[i / ARCH_SITE_POKES], which = i % ARCH_SITE_POKES;
		u64 strange;

		report(change_site(bad, which, 0, target) == 0, "a site is changed by somebody else");
		strange = text_hash();
		report(strange != hash && switch_tracees(300, target) == -EINVAL, "site %u of 300 is refused", bad);
		report(text_hash() == strange, "no byte of text changed");
		report(change_site(bad, which, target, 0) == 0 && text_hash() == hash, "it is changed back");
	}
	report(switch_tracees(300, target) == 0 && switch_tracees(300, 0) == 0, "then nothing is in the way");
	report(text_hash() == hash, "text is as it was");
}

static int commit_one(unsigned long addr, unsigned int len, int *queued)
{
	u8 bytes[ARCH_INSN_BYTES + 1] = { 0 };
	int error = text_poke_begin();

	if (error)
		return error;
	*queued = text_poke_queue(addr, bytes, bytes, len);
	return text_poke_commit();
}

DEFINE_TEST(patch_arguments)
{
	static unsigned long data;
	struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[0]);
	u64 hash = text_hash();
	int queued = 0, error;

	error = commit_one((unsigned long)&data, 1, &queued);
	report(queued == -EFAULT && error == -EFAULT, "an address outside text");
	error = commit_one(rec->ip, 0, &queued);
	report(queued == -EINVAL && error == -EINVAL, "no bytes");
	error = commit_one(rec->ip, ARCH_INSN_BYTES + 1, &queued);
	report(queued == -EINVAL && error == -EINVAL, "too many bytes");

	error = text_poke_begin();
	if (!error)
		error = queue_tracees(2, ~0u);
	if (!error)
		error = queue_tracees(1, ~0u);
	report(!error, "the same site twice is queued");
	error = text_poke_commit();
	report(error == -EBUSY, "and overlaps: %d", error);

	error = text_poke_begin();
	report(!error && text_poke_begin() == -EBUSY, "a second batch of the same thread");
	if (!error)
		error = queue_tracees(10, ~0u);
	text_poke_abort();
	error = text_poke_begin();
	report(!error && text_poke_commit() == 0, "an empty batch, after an aborted one");
	report(text_hash() == hash, "no byte of text changed");
	report(text_poke_select("no such method") == -EINVAL, "an unknown method");
}

static void try_begin(void *arg)
{
	*(int *)arg = text_poke_begin();
}

DEFINE_TEST(patch_context)
{
	unsigned long flags = irq_save();
	int error = text_poke_begin();

	irq_restore(flags);
	report(error == -EBUSY, "interrupts off: %d", error);
	error = 0;
	port_soft_irq(try_begin, &error);
	report(error == -EBUSY, "in an interrupt: %d", error);
	preempt_disable();
	error = text_poke_begin();
	preempt_enable();
	report(error == -EBUSY, "preemption off: %d", error);
}

/* ---- flips under calling CPUs ---- */

bool patch_atomic_holds(void)
{
	return !machine.emulated || smp_online() == 1 || cmdline_number("atomic", 0, 0, 1);
}

/* Phase in the lower two bits: a pass within one value of it is checked. */
enum phase { OFF, TO_ON, ON, TO_OFF, NR_PHASES };
static unsigned int sequence;
static bool stop;

struct worker {
	struct thread *thread;
	unsigned long hits;		/* by the op, on this CPU */
	unsigned long calls, wrong_results;
	unsigned long passes[NR_PHASES];
	unsigned long lost, stray;	/* calls not traced while on, traced while off */
} __aligned(64);
static struct worker workers[MAX_CPUS];

static notrace void count_hit(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	workers[host_cpu_id()].hits++;
}

static struct ftrace_ops flip_ops = { .func = count_hit, .name = "flip" };

#define NR_FLIPPED	(NR_PATCH_TRACEES + 1)	/* the tracees, and one that runs in interrupts */

static noinline void flip_in_interrupt(void *arg)
{
	*(unsigned int *)arg += 1;
}

static void call_all(struct worker *w)
{
	unsigned int handled = 0;

	for (unsigned int i = 0; i < NR_PATCH_TRACEES; i++)
		if (patch_tracees[i](i) != i * 4)
			w->wrong_results++;
	port_soft_irq(flip_in_interrupt, &handled);
	w->wrong_results += handled != 1;
	w->calls += NR_FLIPPED;
}

static int work(void *arg)
{
	struct worker *w = arg;

	while (!READ_ONCE(stop)) {
		unsigned int now = smp_load_acquire(&sequence);
		unsigned long before = READ_ONCE(w->hits), hits;

		call_all(w);
		hits = READ_ONCE(w->hits) - before;
		if (smp_load_acquire(&sequence) != now)
			continue;
		if (now % NR_PHASES == ON)
			w->lost += NR_FLIPPED - hits;
		if (now % NR_PHASES == OFF)
			w->stray += hits;
		w->passes[now % NR_PHASES]++;
	}
	return 0;
}

static void start_workers(void)
{
	stop = false;
	sequence = 0;
	memset(workers, 0, sizeof(workers));
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		workers[cpu].thread = thread_create("flip", work, &workers[cpu], cpu);
		report(workers[cpu].thread != NULL, "a thread on CPU %u", cpu);
	}
}

static void stop_workers(void)
{
	WRITE_ONCE(stop, true);
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++)
		if (workers[cpu].thread)
			thread_join(workers[cpu].thread);
}

/* Until every worker has had a whole pass in the phase that was just entered. */
static void next_phase(void)
{
	unsigned int phase = (sequence + 1) % NR_PHASES;
	unsigned long passes[MAX_CPUS];

	for (unsigned int cpu = 0; cpu < smp_online(); cpu++)
		passes[cpu] = READ_ONCE(workers[cpu].passes[phase]);
	smp_store_release(&sequence, sequence + 1);
	if (phase != ON && phase != OFF)
		return;
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++)
		while (READ_ONCE(workers[cpu].passes[phase]) == passes[cpu])
			thread_sleep_ms(1);
}

static void flip(unsigned int flips)
{
	int error = 0;

	for (unsigned int i = 0; i < flips && !error; i++) {
		next_phase();
		error = register_ftrace_function(&flip_ops);
		if (error)
			break;
		next_phase();
		next_phase();
		error = unregister_ftrace_function(&flip_ops);
		next_phase();
		if (i % 50 == 49)
			report_info("%u times on and off", i + 1);
	}
	report(!error, "%u times on and off, %u sites: %d", flips, NR_FLIPPED, error);
}

static void report_workers(void)
{
	struct worker sum = { .calls = 0 };

	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		const struct worker *w = &workers[cpu];

		sum.calls += w->calls;
		sum.hits += w->hits;
		sum.wrong_results += w->wrong_results;
		sum.lost += w->lost;
		sum.stray += w->stray;
		sum.passes[ON] += w->passes[ON];
		sum.passes[OFF] += w->passes[OFF];
	}
	report(sum.passes[ON] && sum.passes[OFF] && sum.hits,
	       "%lu calls, %lu traced; whole passes: %lu on, %lu off",
	       sum.calls, sum.hits, sum.passes[ON], sum.passes[OFF]);
	report(sum.wrong_results == 0, "wrong results: %lu", sum.wrong_results);
	report(sum.lost == 0, "calls lost while on: %ld", (long)sum.lost);
	report(sum.stray == 0, "calls traced while off: %lu", sum.stray);
}

/* What each CPU met adds up, and each was kept from its work for some time. */
static void report_by_cpu(const struct text_poke_stats *all)
{
	unsigned long emulated, late, traps = 0;
	bool kept = true;
	struct cpu *cpu;

	for_each_online_cpu(cpu) {
		text_poke_cpu_traps(cpu->id, &emulated, &late);
		traps += emulated + late;
		kept &= smp_longest_call(cpu) > 0 || cpu == this_cpu();
	}
	report(traps == all->traps + all->late_traps, "traps by CPU add up to %lu", traps);
	report(kept, "every other CPU was kept by a round");
}

static void report_stats(const struct text_poke_stats *before, unsigned int flips)
{
	struct text_poke_stats now;
	unsigned long sites;

	text_poke_stats(&now, NULL);
	sites = now.sites - before->sites;
	report(sites == 2ul * flips * NR_FLIPPED, "%lu sites flipped, in %lu batches and %lu rounds", sites,
	       now.batches - before->batches, now.rounds - before->rounds);
	report_info("traps %lu, late traps %lu", now.traps - before->traps, now.late_traps - before->late_traps);
	if (strcmp(text_poke_method_name(), "breakpoint") == 0 && smp_online() > 1)
		report(now.traps > before->traps, "other CPUs hit breakpoints");
	report_by_cpu(&now);
}

static void flip_by(const char *method)
{
	unsigned int flips = cmdline_number("flips", 10, 1, 1000000);
	struct text_poke_stats before;

	if (strcmp(method, "atomic") == 0 && !patch_atomic_holds()) {
		report_skip("atomic: a thread a virtual CPU fetches an instruction byte by byte");
		return;
	}
	if (text_poke_select(method)) {
		report_skip("%s: not on this ISA", method);
		return;
	}
	report_prefix_push(method);
	text_poke_stats(&before, NULL);
	start_workers();
	flip(flips);
	stop_workers();
	report_workers();
	report_stats(&before, flips);
	report_prefix_pop();
}

static bool choose_tracees(struct ftrace_ops *ops)
{
	int taken = ftrace_set_filter(ops, "patch_tracee_*", true);

	if (taken == NR_PATCH_TRACEES)
		taken += ftrace_set_filter(ops, "flip_in_interrupt", false);
	report(taken == NR_FLIPPED, "%d of %d functions are traceable", taken, NR_FLIPPED);
	return taken == NR_FLIPPED;
}

DEFINE_TEST(patch_flip)
{
	static const char *const methods[] = { "breakpoint", "atomic", "nosync", "stop", "local" };
	u64 hash = text_hash();

	if (!choose_tracees(&flip_ops))
		return;
	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++)
		flip_by(methods[i]);
	ftrace_free_filter(&flip_ops);
	report(text_poke_select("auto") == 0, "back to the default method");
	report(text_hash() == hash, "text is as it was");
}
