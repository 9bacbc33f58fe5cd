// SPDX-License-Identifier: MIT
/* Registering and unregistering ops: checks, the lock, and the change to make. */
#include "core/ftrace.h"
#include "base/atomic.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "core/change.h"
#include "core/context.h"
#include "core/deferred.h"
#include "core/dispatch.h"
#include "core/fgraph.h"
#include "core/leaf.h"
#include "core/lock.h"
#include "core/quiesce.h"

/* Graph users plant last: others shall see the true parent. */
#define ORDER_LAST	(~(~0ul >> 1))

static struct host_mutex ftrace_mutex;
static unsigned long registrations;

int ftrace_lock(void)
{
	if (!host_may_sleep() || context_in_callback() || host_mutex_is_mine(&ftrace_mutex))
		return -EBUSY;
	host_mutex_lock(&ftrace_mutex);
	return 0;
}

void ftrace_unlock(void)
{
	host_mutex_unlock(&ftrace_mutex);
}

/* The ops of a graph user come and go with it alone. */
static bool are_callers_own(const struct ftrace_change *c)
{
	for (unsigned int n = 0; n < c->nr_ops; n++)
		if (!c->ops[n] || ops_is_graph(c->ops[n]))
			return false;
	return true;
}

static int run_locked(int (*run)(struct ftrace_change *c), struct ftrace_change *c)
{
	int err;

	if (!are_callers_own(c))
		return -EINVAL;
	if (!c->nr_ops)
		return 0;
	err = ftrace_lock();
	if (err)
		return err;
	err = run(c);
	ftrace_unlock();
	return err;
}

/* ---- is the ops as it should be? ---- */

static bool only_has(const struct ftrace_ops *op, unsigned int kind)
{
	return !(op->flags & ~(kind | FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_GRAPH));
}

static bool flags_fit(const struct ftrace_ops *op)
{
	const unsigned int callback = FTRACE_OPS_FL_ALL | FTRACE_OPS_FL_SELF_FILTER | FTRACE_OPS_FL_IPMODIFY;

	return only_has(op, callback) || only_has(op, FTRACE_OPS_FL_DIRECT) ||
	       only_has(op, FTRACE_OPS_FL_LEAF) || only_has(op, FTRACE_OPS_FL_COUNT);
}

static int check(const struct ftrace_ops *op)
{
	if (op->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if (!flags_fit(op) || !op->func != !!(op->flags & FTRACE_OPS_FL_COUNT))
		return -EINVAL;
	return 0;
}

/* ---- registering ---- */

/* Registered from here on, as far as another in the same call can tell. */
static int start(struct ftrace_ops *op)
{
	int err = check(op);

	if (!err)
		err = leaf_start(op);
	if (err)
		return err;
	op->order = ++registrations;
	if (ops_is_graph(op))
		op->order |= ORDER_LAST;
	op->claimed = 0;
	/* Pairs with ftrace_ops_is_registered(): who sees it registered can claim it. */
	smp_store_release(&op->flags, op->flags | FTRACE_OPS_FL_ENABLED);
	return 0;
}

/*
 * The claim of whoever makes it leave stays: asked to put it off, somebody finds it
 * claimed or not registered, whenever he looks.
 */
static void stop(struct ftrace_ops *op)
{
	leaf_stop(op);
	/* Pairs with ftrace_ops_is_registered(): who sees it gone may free it, we are done with it. */
	smp_store_release(&op->flags, op->flags & ~(FTRACE_OPS_FL_ENABLED | FTRACE_OPS_FL_LEAVING));
}

/*
 * A walker may have called it already, and its callback, or whoever saw it registered, asked
 * to leave: who has claimed it then is in the queue, or on his way there.
 */
static void take_back(struct ftrace_ops *op)
{
	while (!atomic_cmpxchg(&op->claimed, 0u, 1u) && !deferred_forget(op))
		host_relax();
	stop(op);
}

int ftrace_register_locked(struct ftrace_change *c)
{
	unsigned int n;
	int err = 0;

	for (n = 0; n < c->nr_ops; n++) {
		err = start(c->ops[n]);
		if (err)
			break;
	}
	if (!err)
		err = ftrace_change_run(c);
	while (err && n--)
		take_back(c->ops[n]);
	return err;
}

int register_ftrace_functions(struct ftrace_ops *const *ops, unsigned int nr)
{
	struct ftrace_change change = { .ops = ops, .nr_ops = nr, .is = true };

	return run_locked(ftrace_register_locked, &change);
}

int register_ftrace_function(struct ftrace_ops *ops)
{
	return register_ftrace_functions(&ops, 1);
}

/* ---- unregistering ---- */

/*
 * Marked as leaving, so that one that is named twice is found; and claimed, as those are
 * that wait in the queue: a callback that still runs cannot put it there, where it would
 * stay when its memory is gone.
 */
static int claim_leaver(struct ftrace_ops *op)
{
	if (!(op->flags & FTRACE_OPS_FL_ENABLED) || op->flags & FTRACE_OPS_FL_LEAVING)
		return -ENOENT;
	if (op->flags & FTRACE_OPS_FL_PERMANENT || !atomic_cmpxchg(&op->claimed, 0u, 1u))
		return -EBUSY;
	op->flags |= FTRACE_OPS_FL_LEAVING;
	return 0;
}

static void let_go(const struct ftrace_change *c, unsigned int nr)
{
	while (nr--) {
		c->ops[nr]->flags &= ~FTRACE_OPS_FL_LEAVING;
		atomic_set(&c->ops[nr]->claimed, 0u);
	}
}

/* Called from code of the op's own, by which there is no way of waiting for it. */
static bool is_in_code_of(const struct ftrace_ops *op)
{
	struct address_range range;

	return leaf_range(op, &range) && context_in_range(&range);
}

/*
 * Taking memory to give memory back: a change that removes ops has sets to make
 * like any other, and fails like any other, with the ops as registered as before.
 */
int ftrace_unregister_claimed(struct ftrace_change *c)
{
	int err = 0;

	for (unsigned int n = 0; n < c->nr_ops && !err; n++)
		err = is_in_code_of(c->ops[n]) ? -EBUSY : 0;
	if (!err)
		err = ftrace_change_run(c);
	if (err)
		return err;
	if (c->left)
		c->left(c->ops[0]);
	for (unsigned int n = 0; n < c->nr_ops; n++)
		stop(c->ops[n]);
	return 0;
}

int ftrace_unregister_locked(struct ftrace_change *c)
{
	unsigned int n;
	int err = 0;

	for (n = 0; n < c->nr_ops; n++) {
		err = claim_leaver(c->ops[n]);
		if (err)
			break;
	}
	if (!err)
		err = ftrace_unregister_claimed(c);
	if (err)
		let_go(c, n);
	return err;
}

int unregister_ftrace_functions(struct ftrace_ops *const *ops, unsigned int nr)
{
	struct ftrace_change change = { .ops = ops, .nr_ops = nr, .was = true };

	return run_locked(ftrace_unregister_locked, &change);
}

int unregister_ftrace_function(struct ftrace_ops *ops)
{
	return unregister_ftrace_functions(&ops, 1);
}

bool ftrace_ops_is_registered(const struct ftrace_ops *ops)
{
	return smp_load_acquire(&ops->flags) & FTRACE_OPS_FL_ENABLED;
}

int ftrace_init(void)
{
	int err = fgraph_init();

	return err ? err : dispatch_init();
}
