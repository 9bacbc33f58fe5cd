// SPDX-License-Identifier: MIT
/*
 * Waiting until nobody is inside: pictures of all contexts, one a round.
 *
 * A context goes by the top of its stack, which is the same whether it runs or is
 * suspended. While a picture is taken no context moves (core/standstill.h).
 */
#include "core/quiesce.h"
#include "arch/arch.h"
#include "base/atomic.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "base/sort.h"
#include "core/fgraph_stack.h"
#include "core/leaf.h"
#include "core/standstill.h"
#include "patch/code_pool.h"
#include "patch/text_poke.h"

#define MAX_INSIDE	64	/* contexts waited for in one pass */
#define ROUNDS_TO_REPORT 300

struct contexts {
	unsigned int nr;
	bool are_more;				/* above these */
	unsigned long stack_high[MAX_INSIDE];	/* sorted */
	bool is_inside[MAX_INSIDE];
};

struct sorted_ranges {
	const struct address_range *range;
	unsigned int nr;
	unsigned long low, high;		/* around all of them */
};

struct picture {
	struct standstill all;
	struct sorted_ranges retiring, leaves;
	unsigned long pc;			/* of one that is inside still, for the report */
	bool is_first;				/* of a pass: who is inside is not known yet */
	unsigned long above;			/* stacks that this pass is about */
	unsigned int lock;			/* of left, in the first */
	struct contexts left;			/* who has not been seen outside */
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

static const struct address_range *find_range(const struct sorted_ranges *r, unsigned long word)
{
	const struct address_range *range;

	if (word < r->low || word >= r->high)
		return NULL;
	range = bsearch_le(r->range, r->nr, sizeof(*range), word);
	return range && word < range->end ? range : NULL;
}

/* In a leaf any register may hold a way back to what retires: that its pc is there is enough. */
static bool pc_in_ranges(const struct picture *p, unsigned long pc)
{
	return find_range(&p->retiring, pc) || find_range(&p->leaves, pc);
}

/*
 * The first byte of a range is where it is called, and no return address: as data it
 * is somebody's note of where a site leads. Unless @entries: then a word may also be the
 * pc of an outer interrupted context.
 */
static bool in_ranges(const struct picture *p, unsigned long word, bool entries)
{
	const struct address_range *range = find_range(&p->retiring, word);

	return range && (entries || word != range->start);
}

static bool stack_in_ranges(const struct picture *p, unsigned long low, unsigned long high, bool entries)
{
	const unsigned long *word = (const unsigned long *)ALIGN_DOWN(low, sizeof(*word));
	const unsigned long *end = (const unsigned long *)ALIGN_DOWN(high, sizeof(*end));

	for (; word < end; word++)
		if (in_ranges(p, *word, entries))
			return true;
	return false;
}

/*
 * Only those that hold a return address: any other may keep what was in it for as long
 * as a thread goes on without using it, and it may be we who left an address there.
 */
static bool registers_in_ranges(const struct picture *p, const struct pt_regs *regs)
{
	unsigned long addr[ARCH_RETURN_REGISTERS];

	for (unsigned int i = arch_return_registers(regs, addr); i--; )
		if (in_ranges(p, addr[i], false))
			return true;
	return false;
}

/* Where functions return to whose own return address the function graph has planted. */
static bool shadow_in_ranges(const struct picture *p, unsigned long shadow)
{
	fgraph_for_each_frame(frame, shadow)
		if (in_ranges(p, frame->ret, false))
			return true;
	return false;
}

/* Of all that are inside, the lowest are kept. */
static void note_new(struct contexts *left, unsigned long stack_high)
{
	unsigned int i = left->nr;

	if (i == MAX_INSIDE) {
		left->are_more = true;
		i--;
		if (left->stack_high[i] < stack_high)
			return;
	} else {
		left->nr++;
	}
	for (; i && left->stack_high[i - 1] > stack_high; i--)
		left->stack_high[i] = left->stack_high[i - 1];
	left->stack_high[i] = stack_high;
}

static void note_again(struct picture *p, unsigned long pc, unsigned long stack_high)
{
	struct contexts *left = &p->left;

	for (unsigned int i = 0; i < left->nr; i++) {
		if (left->stack_high[i] == stack_high) {
			left->is_inside[i] = true;
			WRITE_ONCE(p->pc, pc);
		}
	}
}

/* On all CPUs at once, with interrupts off. */
static void note_inside(struct picture *p, unsigned long pc, unsigned long stack_high)
{
	if (!p->is_first) {
		note_again(p, pc, stack_high);
		return;
	}
	if (stack_high <= p->above)
		return;
	while (!atomic_cmpxchg(&p->lock, 0u, 1u))
		arch_relax();
	note_new(&p->left, stack_high);
	smp_store_release(&p->lock, 0u);
}

static struct picture *picture_of(struct standstill *all)
{
	return container_of(all, struct picture, all);
}

static void look_at_running(struct standstill *all, const struct pt_regs *regs)
{
	struct picture *p = picture_of(all);
	bool nested = READ_ONCE(host_trace_state()->context) > 1;
	unsigned long low, high;

	if (!regs)
		return;
	host_stack_bounds(&low, &high);
	if (pc_in_ranges(p, regs_pc(regs)) || registers_in_ranges(p, regs) ||
	    stack_in_ranges(p, regs_sp(regs), high, nested) || shadow_in_ranges(p, arch_shadow_sp()))
		note_inside(p, regs_pc(regs), high);
}

static int look_at_suspended(const struct host_context *ctx, void *all)
{
	struct picture *p = picture_of(all);

	if (ctx->voluntary)
		return 0;
	if (pc_in_ranges(p, ctx->pc) || (ctx->regs && registers_in_ranges(p, ctx->regs)) ||
	    stack_in_ranges(p, ctx->stack_low, ctx->stack_high, false) ||
	    (ctx->trace && shadow_in_ranges(p, ctx->trace->shadow_sp)))
		note_inside(p, ctx->pc, ctx->stack_high);
	return 0;
}

/* ---- until each has left ------------------------------------------------------ */

static void take_picture(struct picture *p)
{
	standstill(&p->all);
	stats.rounds++;
}

static void find_inside(struct picture *p)
{
	p->left.nr = 0;
	p->left.are_more = false;
	p->is_first = true;
	take_picture(p);
	p->is_first = false;
}

/* Keep those that are inside still. Who came in later found nothing that retires. */
static void keep_inside(struct picture *p)
{
	struct contexts *left = &p->left;
	unsigned int n = 0;

	for (unsigned int i = 0; i < left->nr; i++)
		left->is_inside[i] = false;
	take_picture(p);
	for (unsigned int i = 0; i < left->nr; i++)
		if (left->is_inside[i])
			left->stack_high[n++] = left->stack_high[i];
	left->nr = n;
}

/*
 * As many as there is room for, those with the lowest stacks; then those with stacks above
 * these, who was inside from the beginning is among them still.
 */
static void wait_until_left(struct picture *p)
{
	unsigned long rounds = 0, highest;

	do {
		find_inside(p);
		highest = p->left.nr ? p->left.stack_high[p->left.nr - 1] : 0;
		for (rounds++; p->left.nr; rounds++) {
			if (rounds == ROUNDS_TO_REPORT)
				pr_err("quiesce: still inside after %lu rounds: %pS\n", rounds, (void *)p->pc);
			host_relax();
			keep_inside(p);
		}
		p->above = highest;
	} while (p->left.are_more);
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

static struct sorted_ranges sorted_ranges(const struct address_range *range, unsigned int nr)
{
	return (struct sorted_ranges){
		.range = range, .nr = nr,
		.low = nr ? range[0].start : 0, .high = nr ? range[nr - 1].end : 0,
	};
}

void quiesce(struct address_range *ranges, unsigned int nr)
{
	struct picture picture = {
		.all = { .running = look_at_running, .suspended = look_at_suspended },
	};
	const struct address_range *leaves = NULL;
	u64 start;

	if (!nr || !host_smp_started())
		return;
	sort(ranges, nr, sizeof(*ranges), compare_keys);
	picture.retiring = sorted_ranges(ranges, nr);
	nr = leaf_texts(&leaves);
	picture.leaves = sorted_ranges(leaves, nr);
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
