// SPDX-License-Identifier: MIT
/*
 * Leaf and direct ops: where their code is. Counting ops: one counter in each CPU's
 * host_counters() while registered.
 */
#include "core/leaf.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/sort.h"

#define MAX_COUNTERS	1024u
#define WORD_BITS	(8 * sizeof(unsigned long))

static unsigned long taken[MAX_COUNTERS / WORD_BITS];	/* a bit each */

static unsigned long *counter(unsigned long number, unsigned int cpu)
{
	const struct host_counters counters = host_counters();

	return (unsigned long *)(counters.first + cpu * counters.stride) + number;
}

/* ---- the text of leaves ------------------------------------------------------------ */

/* Of those registered and of arch_leaf_return(), by which others may end. */
static struct {
	struct address_range *text;
	unsigned int nr, room;
	unsigned int nr_leaves;
	bool stale;
} texts;

/* Room for @nr and the one of ours; twice as much as before, so that few are allocated in a row. */
static int make_room(unsigned int nr)
{
	unsigned int room = max(nr + 1, 2 * texts.room);
	struct address_range *text;

	if (nr < texts.room)
		return 0;
	text = host_alloc(room * sizeof(*text));
	if (!text)
		return -ENOMEM;
	host_free(texts.text);
	texts.text = text;
	texts.room = room;
	return 0;
}

static void give_room_back(void)
{
	host_free(texts.text);
	texts.text = NULL;
	texts.nr = texts.room = 0;
}

static void find_texts(void)
{
	const struct ftrace_ops_list *list = ftrace_ops_list;

	texts.nr = address_range_of((unsigned long)arch_leaf_return, texts.text);
	for (unsigned int i = 0; list && i < list->nr; i++)
		if (list->ops[i]->flags & FTRACE_OPS_FL_LEAF)
			texts.nr += leaf_range(list->ops[i], &texts.text[texts.nr]);
	sort(texts.text, texts.nr, sizeof(*texts.text), compare_keys);
	texts.stale = false;
}

unsigned int leaf_texts(const struct address_range **text)
{
	if (!texts.nr_leaves)
		return 0;
	if (texts.stale)
		find_texts();
	*text = texts.text;
	return texts.nr;
}

/* ---- what an op has while registered ------------------------------------------------- */

static int take_counter(unsigned long *number)
{
	unsigned long nr = min(host_counters().nr, MAX_COUNTERS);

	for (unsigned long i = 0; i < nr; i++) {
		if (taken[i / WORD_BITS] >> i % WORD_BITS & 1)
			continue;
		taken[i / WORD_BITS] |= 1ul << i % WORD_BITS;
		for (unsigned int cpu = 0; cpu < host_nr_cpus(); cpu++)
			*counter(i, cpu) = 0;
		*number = i;
		return 0;
	}
	return -ENOSPC;
}

int leaf_start(struct ftrace_ops *op)
{
	struct address_range range;

	if (op->flags & FTRACE_OPS_FL_COUNT)
		return take_counter(&op->counter);
	if ((op->flags & FTRACE_OPS_FL_OWN_CODE) && !address_range_of((unsigned long)op->func, &range))
		return -EINVAL;
	if (!(op->flags & FTRACE_OPS_FL_LEAF))
		return 0;
	if (make_room(texts.nr_leaves + 1))
		return -ENOMEM;
	texts.nr_leaves++;
	texts.stale = true;
	return 0;
}

void leaf_stop(struct ftrace_ops *op)
{
	if (op->flags & FTRACE_OPS_FL_LEAF) {
		texts.stale = true;
		if (!--texts.nr_leaves)
			give_room_back();
	}
	if (!(op->flags & FTRACE_OPS_FL_COUNT))
		return;
	op->hits = ftrace_ops_hits(op);
	taken[op->counter / WORD_BITS] &= ~(1ul << op->counter % WORD_BITS);
}

unsigned int leaf_range(const struct ftrace_ops *op, struct address_range *range)
{
	return op->flags & FTRACE_OPS_FL_OWN_CODE && address_range_of((unsigned long)op->func, range);
}

/*
 * Generated code of this CPU may count in between, or we in between of its window:
 * that starts again then. No other CPU writes here.
 */
void leaf_count(const struct ftrace_ops *op)
{
	unsigned long flags = host_irq_save();

	atomic_inc(counter(op->counter, host_cpu_id()));
	host_irq_restore(flags);
}

unsigned long ftrace_ops_hits_on(const struct ftrace_ops *op, unsigned int cpu)
{
	if (!(op->flags & FTRACE_OPS_FL_COUNT) || !(op->flags & FTRACE_OPS_FL_ENABLED))
		return 0;
	return READ_ONCE(*counter(op->counter, cpu));
}

unsigned long ftrace_ops_hits(const struct ftrace_ops *op)
{
	unsigned long hits = 0;

	if (!(op->flags & FTRACE_OPS_FL_ENABLED))
		return op->hits;
	for (unsigned int cpu = 0; cpu < host_nr_cpus(); cpu++)
		hits += ftrace_ops_hits_on(op, cpu);
	return hits;
}
