// SPDX-License-Identifier: MIT
/*
 * Leaf and direct ops: where their code is. Counting ops: one counter in each CPU's
 * host_counters() while registered.
 */
#include "core/leaf.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"

#define MAX_COUNTERS	1024u
#define WORD_BITS	(8 * sizeof(unsigned long))

static unsigned long taken[MAX_COUNTERS / WORD_BITS];	/* a bit each */

static unsigned long *counter(unsigned long number, unsigned int cpu)
{
	const struct host_counters counters = host_counters();

	return (unsigned long *)(counters.first + cpu * counters.stride) + number;
}

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
	return 0;
}

void leaf_stop(struct ftrace_ops *op)
{
	if (!(op->flags & FTRACE_OPS_FL_COUNT))
		return;
	op->hits = ftrace_ops_hits(op);
	taken[op->counter / WORD_BITS] &= ~(1ul << op->counter % WORD_BITS);
}

unsigned int leaf_range(const struct ftrace_ops *op, struct address_range *range)
{
	return op->flags & FTRACE_OPS_FL_OWN_CODE && address_range_of((unsigned long)op->func, range);
}

/* The list is under ftrace_mutex as we are. */
unsigned int leaf_total(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; ftrace_ops_list && i < ftrace_ops_list->nr; i++)
		n += !!(ftrace_ops_list->ops[i]->flags & FTRACE_OPS_FL_LEAF);
	return n;
}

unsigned int leaf_ranges(struct address_range *ranges)
{
	unsigned int n = 0;

	for (unsigned int i = 0; ftrace_ops_list && i < ftrace_ops_list->nr; i++)
		if (ftrace_ops_list->ops[i]->flags & FTRACE_OPS_FL_LEAF)
			n += leaf_range(ftrace_ops_list->ops[i], &ranges[n]);
	return n;
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
