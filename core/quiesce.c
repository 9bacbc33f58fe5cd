// SPDX-License-Identifier: MIT
/*
 * Waiting until nobody is inside: pictures of all contexts, one a round.
 *
 * A context goes by the top of its stack, which is the same whether it runs or is
 * suspended. While a picture is taken no context moves (core/standstill.h).
 */
#include "core/quiesce.h"
#include "core/standstill.h"
#include "arch/arch.h"
#include "base/atomic.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "base/sort.h"
#include "patch/code_pool.h"
#include "patch/text_poke.h"

#define MAX_INSIDE	64	/* contexts told apart; more are waited for all together */
#define ROUNDS_TO_REPORT 300

struct contexts {
	unsigned int nr;	/* may exceed MAX_INSIDE: then the rest is not known by name */
	unsigned long stack_high[MAX_INSIDE];
};

struct picture {
	struct standstill all;
	const struct address_range *ranges;	/* sorted */
	unsigned int nr_ranges;
	unsigned long low, high;		/* around all of them */
	unsigned long pc;			/* of one that is inside, for the report */
	struct contexts inside;
};

static struct host_mutex quiesce_mutex;
static struct quiesce_stats stats;

bool address_range_of(unsigned long addr, struct address_range *range)
{
	const struct code_block *block = code_pool_find(addr);
	struct kallsym sym;

	if (block) {
		*range = (struct address_range){ block->start, block->start + block->size };
		return true;
	}
	if (!kallsyms_lookup(addr, &sym))
		return false;
	*range = (struct address_range){ sym.addr, sym.addr + sym.size };
	return true;
}

/* ---- one context ---------------------------------------------------------- */

static const struct address_range *range_of(const struct picture *p, unsigned long word)
{
	const struct address_range *range;

	if (word < p->low || word >= p->high)
		return NULL;
	range = bsearch_le(p->ranges, p->nr_ranges, sizeof(*range), word);
	return range && word < range->end ? range : NULL;
}

static bool pc_in_ranges(const struct picture *p, unsigned long pc)
{
	return range_of(p, pc);
}

/*
 * The first byte of a range is where it is called, and no return address: as data it
 * is somebody's note of where a site leads, and may stand in a register that is dead
 * for as long as a thread goes on without using it. Unless @entries: then a word may
 * also be the pc of an outer interrupted context.
 */
static bool words_in_ranges(const struct picture *p, const unsigned long *word,
			    const unsigned long *end, bool entries)
{
	for (; word < end; word++) {
		const struct address_range *range = range_of(p, *word);

		if (range && (entries || *word != range->start))
			return true;
	}
	return false;
}

static const unsigned long *aligned(unsigned long addr)
{
	return (const unsigned long *)ALIGN_DOWN(addr, sizeof(unsigned long));
}

static void note_inside(struct picture *p, unsigned long pc, unsigned long stack_high)
{
	unsigned int i = atomic_fetch_add(&p->inside.nr, 1u);

	WRITE_ONCE(p->pc, pc);
	if (i < MAX_INSIDE)
		p->inside.stack_high[i] = stack_high;
}

static struct picture *picture_of(struct standstill *all)
{
	return container_of(all, struct picture, all);
}

/* The registers are looked at as words: which is which does not matter, but for pc. */
static void look_at_running(struct standstill *all, const struct pt_regs *regs)
{
	struct picture *p = picture_of(all);
	bool nested = READ_ONCE(host_trace_state()->context) > 1;
	unsigned long low, high;

	if (!regs)
		return;
	host_stack_bounds(&low, &high);
	if (pc_in_ranges(p, regs_pc(regs)) ||
	    words_in_ranges(p, (const unsigned long *)regs, (const unsigned long *)(regs + 1), nested) ||
	    words_in_ranges(p, aligned(regs_sp(regs)), aligned(high), nested))
		note_inside(p, regs_pc(regs), high);
}

static int look_at_suspended(const struct host_context *ctx, void *all)
{
	struct picture *p = picture_of(all);

	if (ctx->voluntary)
		return 0;
	if (pc_in_ranges(p, ctx->pc) ||
	    words_in_ranges(p, ctx->regs, ctx->regs + ctx->nr_regs, false) ||
	    words_in_ranges(p, aligned(ctx->stack_low), aligned(ctx->stack_high), false))
		note_inside(p, ctx->pc, ctx->stack_high);
	return 0;
}

/* ---- until each has left ------------------------------------------------------ */

static void take_picture(struct picture *p)
{
	p->inside.nr = 0;
	standstill(&p->all);
	stats.rounds++;
}

static bool contexts_has(const struct contexts *set, unsigned long stack_high)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		if (set->stack_high[i] == stack_high)
			return true;
	}
	return false;
}

/* Keep those that are inside still. Who came in later found nothing that retires. */
static void keep_inside(struct contexts *left, const struct contexts *now)
{
	unsigned int i, n = 0;

	if (left->nr > MAX_INSIDE || now->nr > MAX_INSIDE) {
		*left = *now;
		return;
	}
	for (i = 0; i < left->nr; i++) {
		if (contexts_has(now, left->stack_high[i]))
			left->stack_high[n++] = left->stack_high[i];
	}
	left->nr = n;
}

static void wait_until_left(struct picture *p)
{
	unsigned long rounds = 1;
	struct contexts left;

	take_picture(p);
	left = p->inside;
	while (left.nr) {
		if (rounds == ROUNDS_TO_REPORT)
			pr_err("quiesce: still inside after %lu rounds: %pS\n", rounds, (void *)p->pc);
		host_relax();
		take_picture(p);
		keep_inside(&left, &p->inside);
		rounds++;
	}
	stats.retries += rounds - 1;
	stats.most_rounds = max(stats.most_rounds, rounds);
}

/* An emulator may still call what retires, from a translation of text that is gone. */
static void settle_text(void)
{
	if (!text_poke_unsettled())
		return;
	host_mutex_lock(&quiesce_mutex);
	host_sync_cpus(HOST_ROUND_QUIESCE);
	stats.rounds++;
	host_mutex_unlock(&quiesce_mutex);
	text_poke_settle();
}

void quiesce(struct address_range *ranges, unsigned int nr)
{
	struct picture picture = {
		.all = { .running = look_at_running, .suspended = look_at_suspended },
		.ranges = ranges, .nr_ranges = nr,
	};
	u64 start;

	if (!nr || !host_smp_started())
		return;
	sort(ranges, nr, sizeof(*ranges), compare_keys);
	picture.low = ranges[0].start;
	picture.high = ranges[nr - 1].end;
	settle_text();
	host_mutex_lock(&quiesce_mutex);
	stats.calls++;
	start = host_clock();
	wait_until_left(&picture);
	stats.longest = max(stats.longest, host_clock() - start);
	host_mutex_unlock(&quiesce_mutex);
}

void quiesce_stats(struct quiesce_stats *out)
{
	*out = stats;
}
