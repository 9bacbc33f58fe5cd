// SPDX-License-Identifier: MIT
/*
 * One change of who is called where, of any number of ops, as a transaction:
 *
 *   prepare   find the records that it touches (change_sites.c), their new sets
 *             (change_sets.c) and targets; all memory is taken here and nothing can
 *             be seen yet
 *   commit    publish new code, then the longer of the two ops lists, then one
 *             patch batch; then the shorter list and the new filters
 *   release   the losing side goes (change_release.c): its sets, code, list and
 *             filters, once nobody is inside. After a failure the new side is the
 *             losing one, so that rolling back is the same path.
 *
 * What it costs is linear in the ops, the records touched, and the sizes of their sets.
 *
 * Under ftrace_mutex.
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"
#include "core/hash.h"
#include "core/ops_set.h"

struct touched_site {
	u32 site;			/* index of the record */
	u32 set;			/* index of its set after the change */
};

struct ftrace_change {
	/* The caller's: */
	struct ftrace_ops *const *ops;	/* those that come in order of registration */
	u32 nr_ops;
	bool was, is;			/* registered before, after; both: one ops gets new filters */
	struct ftrace_hash *filter;	/* then its lists after the change */
	struct ftrace_hash *excluded;
	int (*also)(struct ftrace_ops *op); /* may be NULL: queues what else is in the batch */
	void (*left)(struct ftrace_ops *op); /* may be NULL: has left; what else must end before that is told */
	/* The transaction's own: */
	struct touched_site *touched;	/* in order of sites */
	u32 nr_touched;
	u32 number;			/* of this change */
	struct ops_set *first_set;	/* what a record without set becomes ... */
	bool has_first_set;		/* ... when that is known */
	struct ftrace_ops **scratch;	/* ops of a set to be */
	struct ftrace_ops **joining;	/* who changes at the record at hand */
	struct ftrace_ops_list *list;	/* the other ops list: the new one, then the losing one */
	bool list_changes;
	bool visible;			/* somebody may have seen the new side */
	struct address_range *ranges;
};

/**
 * ftrace_change_run() - make the change or leave all as it was
 * @c: what to change; zero but for the caller's part
 *
 * On success the ops have the new lists, and those that lost are freed; on an error
 * the new ones are the caller's still. Return: 0 or -errno.
 */
int __must_check ftrace_change_run(struct ftrace_change *c);

/**
 * ftrace_register_locked() / ftrace_unregister_locked() - what the public calls do
 * @c: the change
 *
 * Return: as register_ftrace_function() and unregister_ftrace_function().
 */
int __must_check ftrace_register_locked(struct ftrace_change *c);
int __must_check ftrace_unregister_locked(struct ftrace_change *c);

/* The same for ops that the caller has claimed. On an error they are claimed still. */
int __must_check ftrace_unregister_claimed(struct ftrace_change *c);

/* ---- its steps ---- */

static inline bool ops_is_graph(const struct ftrace_ops *op)
{
	return op->flags & FTRACE_OPS_FL_GRAPH;
}

static inline bool changes_filters(const struct ftrace_change *c)
{
	return c->was && c->is;
}

/* The lists of @op after the change. */
static inline struct ftrace_hash *filter_after(const struct ftrace_change *c, const struct ftrace_ops *op)
{
	return changes_filters(c) ? c->filter : op->filter;
}

static inline struct ftrace_hash *excluded_after(const struct ftrace_change *c, const struct ftrace_ops *op)
{
	return changes_filters(c) ? c->excluded : op->excluded;
}

/* Fill in touched with sites and sets. Return: 0 or -errno; touched is right as far as it goes. */
int __must_check change_prepare_sites(struct ftrace_change *c);

/**
 * change_transition() - the set that a record has after the change
 * @c: the change; @joining has who comes
 * @old: the set before, NULL for none
 * @nr_joining: ops that come; 0: those of the change that are in @old leave
 * @result: out, with one use for the record; NULL for none
 *
 * Return: 0, -ENOMEM, or -EBUSY when two would decide where the function goes on.
 */
int __must_check change_transition(struct ftrace_change *c, struct ops_set *old, u32 nr_joining,
				   struct ops_set **result);

/* Room for what release needs; the sites are known. Return: 0 or -ENOMEM. */
int __must_check change_prepare_release(struct ftrace_change *c);

/* The losing side goes. @failed: that is the new one. */
void change_release(struct ftrace_change *c, bool failed);
