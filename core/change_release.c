// SPDX-License-Identifier: MIT
/*
 * The losing side of a change goes: whoever may be in its code or hold its objects
 * is waited for, then all is freed.
 */
#include "base/errno.h"
#include "base/host.h"
#include "core/change.h"
#include "core/dispatch.h"
#include "core/leaf.h"
#include "core/quiesce.h"
#include "patch/code_pool.h"
#include "patch/site.h"

/*
 * Each set that dies gives a range, and was touched; so does each that lives on with an ops
 * whose filters change, and each ops of code of its own.
 */
int change_prepare_release(struct ftrace_change *c)
{
	u32 sets = changes_filters(c) ? ops_set_total() : min(ops_set_total(), c->nr_touched);
	size_t most = (size_t)sets + c->nr_ops + DISPATCH_MAX_WALKERS + 1;

	c->ranges = host_alloc(most * sizeof(*c->ranges));
	return c->ranges ? 0 : -ENOMEM;
}

static struct ops_set *put_losers(struct ftrace_change *c)
{
	struct ops_set *dying = NULL, *set;

	for (u32 i = 0; i < c->nr_touched; i++) {
		set = ops_set_at(c->touched[i].set);
		if (set)
			ops_set_put(set, &dying);
	}
	return dying;
}

/* ---- ranges --------------------------------------------------------------------- */

/*
 * All of them are code. Who reads a set, the list or a filter was called from a
 * trampoline and has to return there; the objects' own addresses prove
 * nothing, because they also stand in stack words that a thread has no use for any more.
 */

static struct address_range *add_set_ranges(struct address_range *at, const struct ops_set *set)
{
	for (; set; set = set->next)
		at += dispatch_block_ranges(&set->block, 1, at);
	return at;
}

/*
 * An op that goes on with other filters, and its sets at other sites: its callback may still act
 * for a site that was lost, or read the filters that go, wherever it was called.
 */
static struct address_range *add_caller_ranges(struct address_range *at, const struct ftrace_ops *op)
{
	for (const struct ops_set *set = ops_set_first(); set; set = ops_set_after(set))
		if (ops_set_has(set, op))
			at += dispatch_block_ranges(&set->block, 1, at);
	return at;
}

/* Walkers stay, and hold what they have found: the list, filters, sets, ops. */
static struct address_range *add_walker_ranges(struct address_range *at)
{
	if (dispatch_current()->walkers)
		at += dispatch_current()->walkers(at);
	return at;
}

/* Leaf and direct ops that lost sites: the code is theirs, no trampoline's. */
static struct address_range *add_code_ranges(struct address_range *at, const struct ftrace_change *c)
{
	for (u32 i = 0; c->was && i < c->nr_ops; i++)
		at += leaf_range(c->ops[i], at);
	return at;
}

static void wait_for_leavers(struct ftrace_change *c, const struct ops_set *dying)
{
	struct address_range *end = add_set_ranges(c->ranges, dying);

	if (changes_filters(c))
		end = add_caller_ranges(end, c->ops[0]);
	end = add_walker_ranges(end);
	end = add_code_ranges(end, c);
	quiesce(c->ranges, end - c->ranges);
}

/* ---- release ---------------------------------------------------------------------- */

static void free_sets(struct ops_set *dying)
{
	struct ops_set *next;

	for (; dying; dying = next) {
		next = dying->next;
		if (dying->block)
			code_pool_free(dying->block);
		ops_set_free(dying);
	}
}

static void free_filters(struct ftrace_change *c)
{
	const struct ftrace_ops *op = c->ops[0];

	if (!changes_filters(c))
		return;
	if (c->filter != op->filter)
		host_free(c->filter);
	if (c->excluded != op->excluded)
		host_free(c->excluded);
}

void change_release(struct ftrace_change *c, bool failed)
{
	struct ops_set *dying = put_losers(c);

	if (c->visible)
		wait_for_leavers(c, dying);
	free_sets(dying);
	host_free(c->list);
	if (!failed)
		free_filters(c);
	host_free(c->touched);
	host_free(c->scratch);
	host_free(c->joining);
	host_free(c->ranges);
}
