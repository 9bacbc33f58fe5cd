// SPDX-License-Identifier: MIT
/*
 * What may be asked for where nothing can be changed: a queue of ops to unregister,
 * pushed to from any context, emptied by baretrace_poll().
 *
 * Who is in the queue has a claim on itself, from before it comes in until it is not
 * registered any more: so it is in there once, nobody else unregisters it, and its
 * memory stays.
 */
#include "core/deferred.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "core/baretrace.h"
#include "core/change.h"
#include "core/fgraph_users.h"
#include "core/lock.h"

static struct ftrace_ops *queue;

static void push(struct ftrace_ops *op)
{
	struct ftrace_ops *head;

	do {
		head = READ_ONCE(queue);
		op->next_deferred = head;
	} while (!atomic_cmpxchg(&queue, head, op));
}

static int put_off(struct ftrace_ops *op)
{
	if (!ftrace_ops_is_registered(op))
		return -ENOENT;
	if (op->flags & FTRACE_OPS_FL_PERMANENT || !atomic_cmpxchg(&op->claimed, 0u, 1u))
		return -EBUSY;
	push(op);
	return 0;
}

int unregister_ftrace_function_deferred(struct ftrace_ops *op)
{
	return !op || ops_is_graph(op) ? -EINVAL : put_off(op);
}

int unregister_ftrace_graph_deferred(struct fgraph_ops *gops)
{
	return gops ? put_off(&gops->ops) : -EINVAL;
}

static int unregister_one(struct ftrace_ops *op)
{
	struct ftrace_change change = { .ops = &op, .nr_ops = 1, .was = true };

	return ops_is_graph(op) ? fgraph_unregister_claimed(op) : ftrace_unregister_claimed(&change);
}

int baretrace_poll(void)
{
	struct ftrace_ops *op, *next;
	int done = 0;

	if (!READ_ONCE(queue) || ftrace_lock())
		return 0;
	for (op = atomic_xchg(&queue, NULL); op; op = next) {
		next = op->next_deferred;
		if (unregister_one(op))
			push(op);
		else
			done++;
	}
	ftrace_unlock();
	return done;
}

bool deferred_forget(struct ftrace_ops *op)
{
	struct ftrace_ops *other, *next;
	bool found = false;

	for (other = atomic_xchg(&queue, NULL); other; other = next) {
		next = other->next_deferred;
		if (other == op)
			found = true;
		else
			push(other);
	}
	return found;
}
