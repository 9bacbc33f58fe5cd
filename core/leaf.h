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

/* Take what it needs. Return: 0; -EINVAL when func is no code we know; -ENOMEM; -ENOSPC without counter. */
int __must_check leaf_start(struct ftrace_ops *op);

/* Give it back; nobody can reach the op any more. */
void leaf_stop(struct ftrace_ops *op);

/* The text of its code, for quiesce(). Return: ranges filled in, 0 or 1. */
unsigned int leaf_range(const struct ftrace_ops *op, struct address_range *range);

/**
 * leaf_texts() - the text of all registered leaves
 * @texts: out: sorted by start; good until ftrace_mutex is released
 *
 * For quiesce(): who is in a leaf may have the way back to whatever called it, or called
 * what that hooks, in any register that is dead at a function's entry. When leaves came or
 * went, all are looked up and sorted anew. Return: how many.
 */
unsigned int leaf_texts(const struct address_range **texts);

/* One hit more of an op with FTRACE_OPS_FL_COUNT, from C. Any context. */
void leaf_count(const struct ftrace_ops *op);
