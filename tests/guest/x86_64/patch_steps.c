// SPDX-License-Identifier: MIT
/*
 * The steps of a batch on x86-64 as recorded, and breakpoints as handlers see
 * them: what emulators hide or need is checked here, not by running into it.
 */
#include "tests/test.h"
#include "tests/guest/edges.h"
#include "tests/guest/patch_tracees.h"
#include "tests/guest/x86_64/step.h"

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

#define NR_SITES	10

static struct text_step_record records[400];

static int switch_sites(unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = 0; i < NR_SITES && !error; i++)
		error = site_queue(site_of_function((unsigned long)patch_tracees[i]), target);
	if (!error)
		return text_poke_commit();
	text_poke_abort();
	return error;
}

/* The next run of @step: one for each site, @offset behind it. Syncs in between are passed over. */
static unsigned int expect_run(const struct text_step_log *log, unsigned int at, enum text_step step,
			       unsigned int offset, const char *what)
{
	bool right = true;

	for (unsigned int i = 0; i < NR_SITES; i++, at++) {
		while (at < log->count && records[at].step == TEXT_STEP_SYNC)
			at++;
		right &= at < log->count && records[at].step == step &&
			 records[at].addr == (unsigned long)patch_tracees[i] + offset;
	}
	report(right, "%s", what);
	return at;
}

DEFINE_TEST(x86_patch_steps)
{
	struct text_step_log log = { .capacity = ARRAY_SIZE(records), .records = records };
	size_t pool_bytes;
	unsigned int at = 0, syncs = 0;
	int error;

	report(text_poke_select("breakpoint") == 0, "by breakpoints");
	text_step_log = &log;
	error = switch_sites(host_code_pool(&pool_bytes));
	text_step_log = NULL;
	report(!error && log.count <= log.capacity, "%u steps recorded", log.count);
	at = expect_run(&log, at, TEXT_STEP_WRITE, 0, "breakpoints first");
	at = expect_run(&log, at, TEXT_STEP_WRITE, ARCH_BREAKPOINT_BYTES, "then the tails");
	at = expect_run(&log, at, TEXT_STEP_WRITE, 0, "then the first bytes");
	at = expect_run(&log, at, TEXT_STEP_TOUCH, 0, "then touch");
	for (unsigned int i = 0; i < log.count; i++)
		syncs += records[i].step == TEXT_STEP_SYNC;
	report(at == log.count && syncs == 3 * host_nr_online(), "%u syncs: each CPU in each round", syncs);
	report(switch_sites(0) == 0, "and off");
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* By atomic stores where they do, and in three steps where a site crosses their unit: in one batch. */
static unsigned int writes_at(const struct text_step_log *log, unsigned long from)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < log->count; i++)
		n += records[i].step == TEXT_STEP_WRITE && records[i].addr - from < ARCH_INSN_BYTES;
	return n;
}

static int switch_both(unsigned long whole, unsigned long crossing, unsigned long target)
{
	int error = text_poke_begin();

	if (!error)
		error = site_queue(site_find(whole), target);
	if (!error)
		error = site_queue(site_find(crossing), target);
	if (!error)
		return text_poke_commit();
	text_poke_abort();
	return error;
}

DEFINE_TEST(x86_patch_crossing)
{
	struct text_step_log log = { .capacity = ARRAY_SIZE(records), .records = records };
	unsigned long whole = (unsigned long)patch_tracees[0], crossing = (unsigned long)edge_functions[0];
	struct text_poke_stats last;
	size_t pool_bytes;
	int error;

	report(text_poke_select("atomic") == 0, "by atomic stores");
	text_step_log = &log;
	error = switch_both(whole, crossing, host_code_pool(&pool_bytes));
	text_step_log = NULL;
	text_poke_stats(NULL, &last);
	report(!error && last.crossing == 1 && last.rounds == 3, "%lu of two sites crosses: %lu rounds (%d)",
	       last.crossing, last.rounds, error);
	report(writes_at(&log, whole) == 1, "one store where it does: %u", writes_at(&log, whole));
	report(writes_at(&log, crossing) == 3, "three where not: %u", writes_at(&log, crossing));
	report(switch_both(whole, crossing, 0) == 0, "and off");
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* A stale breakpoint, as an emulator may show it to a CPU long after its batch. */
DEFINE_TEST(x86_patch_late)
{
	struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[NR_SITES]);
	struct pt_regs regs = { .ip = rec->ip + ARCH_BREAKPOINT_BYTES };
	struct text_step_log log = { .capacity = ARRAY_SIZE(records), .records = records };
	struct text_poke_stats before, after;
	unsigned long flags = host_irq_save();
	bool handled;

	text_poke_stats(&before, NULL);
	text_step_log = &log;
	handled = text_poke_trap(&regs);
	text_step_log = NULL;
	host_irq_restore(flags);
	text_poke_stats(&after, NULL);
	report(handled && regs.ip == rec->ip, "a late trap at a site: tried again");
	report(log.count == 1 && records[0].step == TEXT_STEP_TOUCH && records[0].addr == rec->ip,
	       "after the site was healed");
	report(after.late_traps - before.late_traps == 1, "and counted");
	regs.ip = rec->ip + ARCH_BREAKPOINT_BYTES + 1;
	report(!text_poke_trap(&regs), "a trap elsewhere is somebody else's");
}

/* ---- changes that are no sites: known until the next batch's first round ---- */

static DEFINE_STATIC_KEY_FALSE(retired_key);

static noinline bool retired_branch(void)
{
	return static_branch_unlikely(&retired_key);
}

static bool trap_at(unsigned long addr)
{
	struct pt_regs regs = { .ip = addr + ARCH_BREAKPOINT_BYTES };
	unsigned long flags = host_irq_save();
	bool handled = text_poke_trap(&regs);

	host_irq_restore(flags);
	return handled && regs.ip == addr;
}

DEFINE_TEST(x86_patch_retired)
{
	unsigned long branch = retired_key.key.entries[0].code;
	size_t pool_bytes;

	report(text_poke_select("breakpoint") == 0 && static_key_inc(&retired_key.key) == 0 && retired_branch(),
	       "a branch is changed");
	report(trap_at(branch), "a late trap there: tried again");
	report(text_poke_select("atomic") == 0 && switch_sites(host_code_pool(&pool_bytes)) == 0,
	       "a batch without breakpoints");
	report(!trap_at(branch), "behind its round nobody knows the branch");
	report(switch_sites(0) == 0, "and off");
	report(static_key_dec(&retired_key.key) == 0 && !retired_branch(), "the branch is as it was");
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- one store: no instruction between two of which a part of it is there ---- */

static u8 new_bytes[ARCH_INSN_BYTES];
static const volatile u64 *stored;
static u64 before_store, after_store;
static unsigned int nr_steps, in_part;

static notrace void look_at_word(const struct pt_regs *regs)
{
	u64 now = *stored;

	nr_steps++;
	in_part += now != before_store && now != after_store;
}

static notrace unsigned long store(unsigned long addr, unsigned long unused)
{
	arch_text_write_atomic(addr, new_bytes, ARCH_INSN_BYTES);
	return 0;
}

static void store_in_steps(const struct code_block *block, unsigned int offset)
{
	unsigned long flags = host_irq_save();
	unsigned long cookie = host_text_open();

	stored = (const volatile u64 *)block->start;
	before_store = after_store = *stored;
	for (unsigned int i = 0; i < ARCH_INSN_BYTES; i++)
		new_bytes[i] = (u8)~(before_store >> 8 * (offset + i));
	memcpy((u8 *)&after_store + offset, new_bytes, ARCH_INSN_BYTES);
	nr_steps = in_part = 0;
	step_through(store, block->start + offset, look_at_word);
	host_text_close(cookie);
	host_irq_restore(flags);
	report(*stored == after_store && nr_steps > 5 && !in_part,
	       "offset %u: %u steps, the old bytes or the new ones, but for %u", offset, nr_steps, in_part);
}

DEFINE_TEST(x86_atomic_store)
{
	struct code_block *block = code_pool_alloc(16, "one store");

	report(block, "room in the code pool");
	for (unsigned int offset = 0; block && offset + ARCH_INSN_BYTES <= sizeof(u64); offset++)
		store_in_steps(block, offset);
	if (block)
		code_pool_free(block);
}
