// SPDX-License-Identifier: MIT
/* Registering and unregistering ops: checks, the lock, and the change to make. */
#include "core/ftrace.h"
#include "core/change.h"
#include "core/context.h"
#include "core/fgraph.h"
#include "core/dispatch.h"
#include "core/lock.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"

static struct host_mutex ftrace_mutex;
static unsigned long registrations;

int ftrace_lock(void)
{
	if (!host_may_sleep() || context_in_callback())
		return -EBUSY;
	host_mutex_lock(&ftrace_mutex);
	return 0;
}

void ftrace_unlock(void)
{
	host_mutex_unlock(&ftrace_mutex);
}

static int register_locked(struct ftrace_ops *ops)
{
	struct ftrace_change change = { .ops = ops, .is = true,
		.filter = ops->filter, .excluded = ops->excluded };
	int err;

	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		return -EBUSY;
	if (ops->flags & ~FTRACE_OPS_FL_ALL)
		return -EINVAL;
	ops->order = ++registrations;
	/* Graph users plant last: others shall see the true parent. */
	if (ops->func == fgraph_enter)
		ops->order |= ~(~0ul >> 1);
	err = ftrace_change_run(&change);
	if (!err)
		ops->flags |= FTRACE_OPS_FL_ENABLED;
	return err;
}

int register_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!ops || !ops->func)
		return -EINVAL;
	err = ftrace_lock();
	if (err)
		return err;
	err = register_locked(ops);
	ftrace_unlock();
	return err;
}

/*
 * Taking memory to give memory back: a change that removes an ops has sets to make
 * like any other, and fails like any other, with the ops as registered as before.
 */
static int unregister_locked(struct ftrace_ops *ops)
{
	struct ftrace_change change = { .ops = ops, .was = true,
		.filter = ops->filter, .excluded = ops->excluded };
	int err;

	if (!(ops->flags & FTRACE_OPS_FL_ENABLED))
		return -ENOENT;
	err = ftrace_change_run(&change);
	if (!err)
		ops->flags &= ~FTRACE_OPS_FL_ENABLED;
	return err;
}

int unregister_ftrace_function(struct ftrace_ops *ops)
{
	int err;

	if (!ops)
		return -EINVAL;
	err = ftrace_lock();
	if (err)
		return err;
	err = unregister_locked(ops);
	ftrace_unlock();
	return err;
}

int ftrace_init(void)
{
	fgraph_init();
	return dispatch_init();
}
