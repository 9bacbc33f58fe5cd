// SPDX-License-Identifier: MIT
/*
 * What may be asked for where nothing can be changed: a queue of ops to unregister,
 * pushed to from any context, emptied by baretrace_poll().
 *
 * Who is in the queue is in it once, and stays allocated until it is unregistered.
 */
#include "core/baretrace.h"
#include "base/atomic.h"
#include "base/errno.h"

static struct ftrace_ops *queue;

static void push(struct ftrace_ops *op)
{
	struct ftrace_ops *head;

	do {
		head = READ_ONCE(queue);
		op->next_deferred = head;
	} while (!atomic_cmpxchg(&queue, head, op));
}

int unregister_ftrace_function_deferred(struct ftrace_ops *op)
{
	if (!ftrace_ops_is_registered(op))
		return -ENOENT;
	if (op->flags & FTRACE_OPS_FL_PERMANENT || !atomic_cmpxchg(&op->deferred, 0u, 1u))
		return -EBUSY;
	push(op);
	return 0;
}

/* Return: it is out. Its memory may be gone then. */
static bool unregister_one(struct ftrace_ops *op)
{
	int err;

	atomic_set(&op->deferred, 0u);
	err = unregister_ftrace_function(op);
	if (!err || err == -ENOENT)
		return true;
	/* Somebody may have asked again meanwhile: then it is in the queue. */
	if (atomic_cmpxchg(&op->deferred, 0u, 1u))
		push(op);
	return false;
}

int baretrace_poll(void)
{
	struct ftrace_ops *op = READ_ONCE(queue) ? atomic_xchg(&queue, NULL) : NULL, *next;
	int done = 0;

	for (; op; op = next) {
		next = op->next_deferred;
		done += unregister_one(op);
	}
	return done;
}
