// SPDX-License-Identifier: MIT
/*
 * One change of who is called where, as a transaction:
 *
 *   prepare   find the records that it touches, their new sets and targets; all
 *             memory is taken here and nothing can be seen yet
 *   commit    publish new code, then the longer of the two ops lists, then one
 *             patch batch; then the shorter list and the new filters
 *   release   the losing side goes: its sets, code, list and filters, once nobody
 *             is inside. After a failure the new side is the losing one, so that
 *             rolling back is the same path.
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
	struct ftrace_ops *ops;
	bool was, is;			/* registered before, after */
	struct ftrace_hash *filter;	/* lists after the change: those of @ops or new ones */
	struct ftrace_hash *excluded;
	/* The transaction's own: */
	struct touched_site *touched;
	u32 nr_touched;
	u32 number;			/* of this change */
	struct ops_set *first_set;	/* what a record without set becomes */
	struct ftrace_ops_list *list;	/* the other ops list: the new one, then the losing one */
	bool list_changes;
	bool visible;			/* somebody may have seen the new side */
	struct address_range *ranges;
};

/**
 * ftrace_change_run() - make the change or leave all as it was
 * @c: what to change; zero but for the caller's part
 *
 * On success @ops has the new lists, and those that lost are freed; on an error
 * the new ones are the caller's still. Return: 0 or -errno.
 */
int __must_check ftrace_change_run(struct ftrace_change *c);
