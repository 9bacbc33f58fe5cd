// SPDX-License-Identifier: MIT
/*
 * Ops that are not called as callbacks: code of their own (leaf, direct), and
 * counters. What a registered one needs besides a set.
 *
 * Under ftrace_mutex, but for leaf_count().
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"
#include "core/quiesce.h"

/* Ops that no callback's walker may call. */
#define FTRACE_OPS_FL_OWN_CODE	(FTRACE_OPS_FL_LEAF | FTRACE_OPS_FL_DIRECT)

/* Take what it needs. Return: 0; -EINVAL when func is no code we know; -ENOSPC without counter. */
int __must_check leaf_start(struct ftrace_ops *op);

/* Give it back; nobody can reach the op any more. */
void leaf_stop(struct ftrace_ops *op);

/* The text of its code, for quiesce(). Return: ranges filled in, 0 or 1. */
unsigned int leaf_range(const struct ftrace_ops *op, struct address_range *range);

/*
 * leaf_ranges() - the text of all registered leaves, for quiesce(); leaf_total() of them at most
 *
 * A leaf may keep its way back into a trampoline in any register that is dead at a
 * function's entry. Return: ranges filled in.
 */
unsigned int leaf_total(void);
unsigned int leaf_ranges(struct address_range *ranges);

/* One hit more of an op with FTRACE_OPS_FL_COUNT, from C. Any context. */
void leaf_count(const struct ftrace_ops *op);
