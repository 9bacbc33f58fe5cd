// SPDX-License-Identifier: MIT
/*
 * How a batch goes: its writes and the rounds between them, in the order that each
 * method promises; late breakpoints.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/mm.h"
#include "kernel/port.h"
#include "patch/method.h"
#include "tests/guest/batch_steps.h"

#define NR_CHANGED	3
#define MAX_STEPS	1024
#define MAX_SUMMARY	32

static struct dyn_ftrace *tracee(unsigned int i)
{
	return site_of_function((unsigned long)patch_tracees[i]);
}

/* ---- the order of steps ---- */

static struct text_step_record records[MAX_STEPS];

/*
 * The steps as letters: w = text is written, R = since the last w every CPU has
 * synchronised, t = touched. Equal neighbours are one letter.
 */
static void summarise(const struct text_step_log *log, char *out)
{
	unsigned long synced = 0, all = (1ul << host_nr_online()) - 1;
	char last = 0, letter;

	for (unsigned int i = 0; i < min(log->count, log->capacity); i++) {
		const struct text_step_record *r = &log->records[i];

		letter = r->step == TEXT_STEP_WRITE ? 'w' : r->step == TEXT_STEP_TOUCH ? 't' : 0;
		if (r->step == TEXT_STEP_SYNC && last == 'w') {
			synced |= 1ul << r->cpu;
			letter = synced == all ? 'R' : 0;
		}
		if (!letter || letter == last)
			continue;
		synced = 0;
		*out++ = last = letter;
	}
	*out = 0;
}

static int move_first(unsigned int nr, unsigned long target)
{
	int err = text_poke_begin();

	for (unsigned int i = 0; i < nr && !err; i++)
		err = site_queue(tracee(i), target);
	if (err) {
		text_poke_abort();
		return err;
	}
	return text_poke_commit();
}

static int move_tracees(unsigned long target)
{
	return move_first(NR_CHANGED, target);
}

/* Nobody calls the tracees meanwhile: where they lead does not matter. */
static void check_order(const char *what, unsigned long target, const char *expected)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	char summary[MAX_SUMMARY + MAX_STEPS];
	int err;

	smp_store_release(&text_step_log, &log);
	err = move_tracees(target);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	summarise(&log, summary);
	report(!err && log.count <= log.capacity && strcmp(summary, expected) == 0, "%s: %s, expected %s (%d)",
	       what, summary, expected, err);
}

#define SEVERAL_STORES	(ARCH_INSN_BYTES > ARCH_BREAKPOINT_BYTES)

static const struct {
	const char *name, *touched, *untouched;
	unsigned int rounds;
} methods[] = {
	{ "breakpoint", "wRwRwRt", "wRwRwR", 3 },
	{ "nosync", "wRt", "wR", 1 },
	/* Where an instruction is several stores it goes by breakpoint too, for NMIs. */
	{ "stop", SEVERAL_STORES ? "wRwRwRt" : "wR", SEVERAL_STORES ? "wRwRwR" : "wR", 1 },
	{ "atomic", "wRt", "wR", 1 },
	{ "local", "wR", "wR", 0 },
};

DEFINE_TEST(patch_order)
{
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);
	struct text_poke_stats last;
	u64 hash = text_hash();

	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++) {
		/* Local is for one CPU: with more the batch goes by stop. */
		bool stops = strcmp(methods[i].name, "local") == 0 && host_nr_online() > 1;

		if (text_poke_select(methods[i].name))
			continue;
		report_prefix_push(methods[i].name);
		text_poke_set_touch(true);
		check_order("on", target, methods[i].touched);
		report(text_hash() != hash, "text has changed");
		text_poke_set_touch(false);
		check_order("off", 0, methods[i].untouched);
		text_poke_stats(NULL, &last);
		report(last.rounds == methods[i].rounds + stops, "%lu rounds", last.rounds);
		report(text_hash() == hash, "text is as it was");
		report_prefix_pop();
	}
	text_poke_set_touch(machine.emulated);
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- every step of a batch ---- */

/*
 * From the first write on (before it text is only read), as letters: write, clean D, drain,
 * invalidate D or I, sync, touch.
 */
static void spell(const struct text_step_log *log, char *out)
{
	static const char letters[NR_TEXT_STEPS] = {
		[TEXT_STEP_WRITE] = 'w', [TEXT_STEP_CLEAN_D] = 'c', [TEXT_STEP_DRAIN] = 'd', [TEXT_STEP_INVAL_D] = 'D',
		[TEXT_STEP_INVAL_I] = 'i', [TEXT_STEP_SYNC] = 's', [TEXT_STEP_TOUCH] = 't',
	};
	unsigned int i = 0, n = min(log->count, log->capacity);
	u32 writer;

	while (i < n && log->records[i].step != TEXT_STEP_WRITE)
		i++;
	/* Mostly us; with `stop` the CPU that came first, and the touch behind it is ours. */
	for (writer = log->records[i].cpu; i < n; i++)
		if (log->records[i].cpu == writer || log->records[i].step == TEXT_STEP_TOUCH)
			*out++ = letters[log->records[i].step];
	*out = 0;
}

/* With each site's steps where the pattern says so. */
static void fill_in(const char *pattern, char *out)
{
	for (; *pattern; pattern++) {
		if (*pattern != BATCH_STEPS_SITES) {
			*out++ = *pattern;
			continue;
		}
		for (unsigned int i = 0; i < NR_CHANGED; i++) {
			const char *steps = batch_site_steps(tracee(i)->ip);

			while (*steps)
				*out++ = *steps++;
		}
	}
	*out = 0;
}

static void check_upkeep(const struct batch_steps *batch, unsigned long target)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	static char steps[MAX_STEPS + 1], expected[MAX_STEPS + 1];
	int err;

	smp_store_release(&text_step_log, &log);
	err = move_tracees(target);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	spell(&log, steps);
	fill_in(batch->pattern, expected);
	report(!err && strcmp(steps, expected) == 0, "%s, %s: %s, expected %s (%d)", batch->method,
	       target ? "on" : "off", steps, expected, err);
}

DEFINE_TEST(patch_upkeep)
{
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);

	text_poke_set_touch(true);
	for (unsigned int i = 0; i < nr_batch_steps; i++) {
		if (batch_steps[i].one_cpu && host_nr_online() > 1)
			continue;
		report(text_poke_select(batch_steps[i].method) == 0, "by %s", batch_steps[i].method);
		check_upkeep(&batch_steps[i], target);
		check_upkeep(&batch_steps[i], target + 32);
		check_upkeep(&batch_steps[i], 0);
	}
	text_poke_set_touch(machine.emulated);
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- what a batch says it took ---- */

#define NR_COUNTED	100	/* some of them lie in two lines of a cache */

static int change_first(unsigned int nr, unsigned long from, unsigned long to)
{
	struct text_poke pokes[ARCH_SITE_POKES];
	int err = text_poke_begin();

	for (unsigned int i = 0; i < nr && !err; i++) {
		unsigned int n = arch_site_pokes(tracee(i)->ip, from, to, pokes);

		for (unsigned int k = 0; k < n && !err; k++)
			err = text_poke_queue(pokes[k].addr, pokes[k].old, pokes[k].new, pokes[k].len);
	}
	if (!err)
		return text_poke_commit();
	text_poke_abort();
	return err;
}

static unsigned int cache_steps(const struct text_step_log *log)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < min(log->count, log->capacity); i++)
		n += log->records[i].step == TEXT_STEP_CLEAN_D || log->records[i].step == TEXT_STEP_INVAL_D ||
		     log->records[i].step == TEXT_STEP_INVAL_I;
	return n;
}

static void check_figures(bool as_sites, unsigned long from, unsigned long to)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	struct text_poke_stats last;
	u64 pause;
	int err;

	text_poke_longest_pause();
	smp_store_release(&text_step_log, &log);
	err = as_sites ? move_first(NR_COUNTED, to) : change_first(NR_COUNTED, from, to);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	text_poke_stats(NULL, &last);
	pause = text_poke_longest_pause();
	report(!err && log.count <= log.capacity && last.cache_ops == cache_steps(&log),
	       "%s: %lu cache operations of %u steps (%d)", as_sites ? "sites" : "changes", last.cache_ops, log.count,
	       err);
	report(pause && pause <= last.ticks && !text_poke_longest_pause(), "paused for %llu ticks of %llu",
	       (unsigned long long)pause, (unsigned long long)last.ticks);
}

DEFINE_TEST(patch_figures)
{
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);

	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++) {
		if (text_poke_select(methods[i].name))
			continue;
		report_prefix_push(methods[i].name);
		check_figures(true, 0, target);
		check_figures(true, target, 0);
		check_figures(false, 0, target);
		check_figures(false, target, 0);
		report_prefix_pop();
	}
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- what the command line chose ---- */

/* Rounds of a batch of @nr sites with the words poke_method, poke_batch and completion. */
static unsigned int chosen_rounds(unsigned int nr)
{
	unsigned int limit = cmdline_number("poke_batch", 0, 0, 1u << 30), i = 0;

	while (strcmp(methods[i].name, text_poke_method_name()) != 0)
		i++;
	if (strcmp(methods[i].name, "nosync") == 0 && !cmdline_number("completion", 1, 0, 1))
		return 0;
	return methods[i].rounds * (limit ? DIV_ROUND_UP(nr, limit) : 1);
}

DEFINE_TEST(patch_chosen)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	bool touch = strcmp(cmdline_get("patch_touch", "1"), "0") != 0;
	struct text_poke_stats last;
	unsigned int touches = 0;
	size_t pool_bytes;
	int err;

	report(strcmp(text_poke_method_name(), cmdline_get("poke_method", "")) == 0, "by %s",
	       text_poke_method_name());
	smp_store_release(&text_step_log, &log);
	err = move_first(NR_COUNTED, host_code_pool(&pool_bytes));
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	text_poke_stats(NULL, &last);
	for (unsigned int i = 0; i < min(log.count, log.capacity); i++)
		touches += records[i].step == TEXT_STEP_TOUCH;
	report(!err && last.rounds == chosen_rounds(NR_COUNTED), "%u sites: %lu rounds (%d)", NR_COUNTED, last.rounds,
	       err);
	report(touches == (touch ? NR_COUNTED : 0), "%u touched", touches);
	report(move_first(NR_COUNTED, 0) == 0, "and off");
}

/* ---- slices ---- */

#define MOST_IN_SLICE	256	/* 20 to 40 instructions a change: this bounds how long interrupts are off */

static struct {
	unsigned int sites, calls, most, open_to_interrupts;
} slices;

/* A span costs about as much as a site, unless there is but one. */
static void look_at_slice(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	unsigned int sites = 0, spans = last - span;

	for (; span < last; span++)
		sites += span->end - span->first;
	slices.sites += sites;
	slices.calls++;
	slices.most = max(slices.most, spans > 1 ? sites + spans : sites);
	slices.open_to_interrupts += irqs_enabled();
}

/* All sites in spans of this length, with a site between each two where @gap is 1. */
static void look_at_spans(unsigned int length, unsigned int gap)
{
	static const struct text_writer look = { .sites = look_at_slice };
	unsigned int nr = nr_sites() / (length + gap);
	struct site_span *spans = kalloc(nr * sizeof(*spans));
	struct text_poke_batch batch = { .spans = spans, .nr_spans = nr };

	memset(&slices, 0, sizeof(slices));
	for (unsigned int i = 0; spans && i < nr; i++)
		spans[i] = (struct site_span){ site_at(i * (length + gap)), site_at(i * (length + gap)) + length, 0 };
	if (!spans || text_poke_begin()) {
		report(false, "text is ours");
		kfree(spans);
		return;
	}
	batch.low = spans[0].first;
	batch.high = spans[nr - 1].end;
	text_poke_each_slice(&batch, &look, TEXT_PART_WHOLE);
	report(irqs_enabled(), "interrupts are on again");
	text_poke_abort();
	report(slices.sites == nr * length && slices.calls > 1 && !slices.open_to_interrupts,
	       "%u sites in %u spans: %u calls, %u of them may be interrupted", slices.sites, nr, slices.calls,
	       slices.open_to_interrupts);
	report(slices.most <= MOST_IN_SLICE, "at most %u changes in one", slices.most);
	kfree(spans);
}

DEFINE_TEST(patch_slices)
{
	look_at_spans(nr_sites(), 0);
	look_at_spans(1, 0);
	look_at_spans(1, 1);
	look_at_spans(300, 1);
}

/* ---- batches in every shape ---- */

#define NR_SHAPED	600

/* Has each of the tracees' sites the bytes of this target? */
static bool text_has(unsigned long target)
{
	struct text_poke pokes[ARCH_SITE_POKES];
	bool right = true;

	for (unsigned int i = 0; i < NR_SHAPED; i++) {
		unsigned int n = arch_site_pokes(tracee(i)->ip, target, target, pokes);

		right &= site_target(tracee(i)) == target;
		while (n--)
			right &= memcmp((void *)pokes[n].addr, pokes[n].new, pokes[n].len) == 0;
	}
	return right;
}

/* Every @stride-th tracee, then those between: no two neighbours follow one another. */
static int move_by(unsigned int stride, unsigned long target)
{
	int err = text_poke_begin();

	for (unsigned int first = 0; first < stride; first++)
		for (unsigned int i = first; i < NR_SHAPED && !err; i += stride)
			err = site_queue(tracee(i), target);
	if (!err)
		return text_poke_commit();
	text_poke_abort();
	return err;
}

DEFINE_TEST(patch_unsorted)
{
	static const unsigned int strides[] = { 1, 2, 7, NR_SHAPED - 1 };
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);
	u64 hash = text_hash();

	for (unsigned int i = 0; i < ARRAY_SIZE(strides); i++) {
		report(move_by(strides[i], target) == 0 && text_has(target), "on, by %u", strides[i]);
		report(move_by(strides[i], target + 32) == 0 && text_has(target + 32), "elsewhere");
		report(move_by(strides[i], 0) == 0 && text_has(0) && text_hash() == hash, "off");
	}
}

/* Writes that a batch of a few tracees makes: parts make them together, each once. */
static unsigned int writes_of(unsigned long target)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	unsigned int n = 0;
	int err;

	smp_store_release(&text_step_log, &log);
	err = move_tracees(target);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	for (unsigned int i = 0; i < min(log.count, log.capacity); i++)
		n += records[i].step == TEXT_STEP_WRITE;
	return err ? 0 : n;
}

static void check_each_once(unsigned long target)
{
	unsigned int on = writes_of(target), off = writes_of(0);

	text_poke_set_limit(1);
	report(on && writes_of(target) == on && off && writes_of(0) == off, "one at a time: %u writes, %u writes", on,
	       off);
	text_poke_set_limit(0);
}

DEFINE_TEST(patch_parts)
{
	static const unsigned int limits[] = { 7, 256, NR_SHAPED - 1, NR_SHAPED };
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes), whole;
	struct text_poke_stats last;
	u64 hash = text_hash();

	report(move_by(1, target) == 0, "a whole batch");
	text_poke_stats(NULL, &last);
	whole = last.rounds;
	report(move_by(1, 0) == 0, "and back");
	for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++) {
		text_poke_set_limit(limits[i]);
		report(move_by(3, target) == 0 && text_has(target), "on, %u at a time", limits[i]);
		text_poke_stats(NULL, &last);
		report(last.rounds == whole * DIV_ROUND_UP(NR_SHAPED, limits[i]), "%lu rounds", last.rounds);
		report(move_by(1, 0) == 0 && text_has(0) && text_hash() == hash, "off");
	}
	text_poke_set_limit(0);
	check_each_once(target);
}

DEFINE_TEST(patch_reach)
{
	unsigned long far = tracee(0)->ip + 4 * ARCH_BRANCH_REACH;
	u64 hash = text_hash();

	report(move_by(1, far) == -ERANGE && move_by(2, far) == -ERANGE, "a target out of reach is refused");
	report(text_has(0) && text_hash() == hash, "no byte of text changed");
}

/* ---- breakpoints that are gone from memory ---- */

/* As if a breakpoint had been hit at @addr. Return: was it ours? */
static notrace bool hit(unsigned long addr, struct pt_regs *regs, unsigned int *touches)
{
	struct text_step_log log = { .capacity = MAX_STEPS, .records = records };
	bool handled;

	memset(regs, 0, sizeof(*regs));
	regs_set_pc(regs, addr + (regs_pc(regs) - arch_trap_address(regs)));
	smp_store_release(&text_step_log, &log);
	handled = text_poke_trap(regs);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	*touches = 0;
	for (unsigned int i = 0; i < min(log.count, log.capacity); i++)
		*touches += records[i].step == TEXT_STEP_TOUCH && records[i].addr == addr;
	return handled;
}

DEFINE_TEST(patch_heal)
{
	unsigned long ip = tracee(0)->ip, data = (unsigned long)records;
	struct text_poke_stats before, after;
	u64 hash = text_hash();
	struct pt_regs regs;
	unsigned int touches = 0;

	text_poke_stats(&before, NULL);
	report(hit(ip, &regs, &touches) && regs_pc(&regs) == ip && touches == 1,
	       "at a site without a breakpoint: written again %u times, tried again", touches);
	text_poke_stats(&after, NULL);
	report(after.late_traps == before.late_traps + 1 && after.traps == before.traps, "and counted");
	report(!hit(ip + 1, &regs, &touches) && !touches, "behind a site: not ours");
	report(!hit((unsigned long)hit, &regs, &touches) && !touches, "in a function without site: not ours");
	report(!hit(data, &regs, &touches) && !touches, "in data: not ours");
	report(text_hash() == hash, "text is as it was");
}
