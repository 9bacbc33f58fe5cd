// SPDX-License-Identifier: MIT
/*
 * The sets that a change makes. Records in the same state that get the same ops
 * share the work: the first of them makes the set, the others take it.
 */
#include "base/errno.h"
#include "core/change.h"

/* The old ops and those that come, both in order of registration. Return: how many. */
static u32 merge(struct ftrace_change *c, const struct ops_set *old, u32 nr_joining)
{
	u32 nr = old ? old->nr : 0, i = 0, j = 0, n = 0;

	while (i < nr || j < nr_joining) {
		bool from_old = j == nr_joining ||
				(i < nr && old->ops[i]->order < c->joining[j]->order);

		c->scratch[n++] = from_old ? old->ops[i++] : c->joining[j++];
	}
	return n;
}

static bool leaves(const struct ftrace_change *c, const struct ftrace_ops *op)
{
	/* One ops gets new filters, or all of the change go. */
	return c->is ? op == c->ops[0] : op->flags & FTRACE_OPS_FL_LEAVING;
}

static u32 without_leavers(struct ftrace_change *c, const struct ops_set *old)
{
	u32 n = 0;

	for (u32 i = 0; i < old->nr; i++) {
		if (!leaves(c, old->ops[i]))
			c->scratch[n++] = old->ops[i];
	}
	return n;
}

/* At most one may decide where the function goes on. */
static bool is_exclusive(struct ftrace_ops *const *ops, u32 nr)
{
	u32 n = 0;

	for (u32 i = 0; i < nr; i++)
		n += !!(ops[i]->flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT));
	return n <= 1;
}

static int make(struct ftrace_change *c, const struct ops_set *old, u32 nr_joining,
		struct ops_set **result)
{
	u32 nr = nr_joining ? merge(c, old, nr_joining) : without_leavers(c, old);

	*result = NULL;
	if (!nr)
		return 0;
	if (nr_joining && !is_exclusive(c->scratch, nr))
		return -EBUSY;
	return ops_set_intern(c->scratch, nr, result);
}

/* Is the result the same for every record with the set? */
static bool depends_on_set_alone(const struct ftrace_change *c, u32 nr_joining)
{
	return c->nr_ops == 1 || !nr_joining;
}

static bool recall(struct ftrace_change *c, struct ops_set *old, struct ops_set **result)
{
	if (old ? old->change != c->number || !old->has_result : !c->has_first_set)
		return false;
	*result = old ? old->becomes : c->first_set;
	if (*result)
		ops_set_hold(*result);
	return true;
}

static void remember(struct ftrace_change *c, struct ops_set *old, struct ops_set *result)
{
	if (old) {
		old->becomes = result;
		old->has_result = true;
	} else {
		c->first_set = result;
		c->has_first_set = true;
	}
}

int change_transition(struct ftrace_change *c, struct ops_set *old, u32 nr_joining,
		      struct ops_set **result)
{
	bool memo = depends_on_set_alone(c, nr_joining);
	int err;

	if (memo && recall(c, old, result))
		return 0;
	if (old && old->change != c->number) {
		old->change = c->number;
		old->has_result = false;
	}
	err = make(c, old, nr_joining, result);
	if (!err && memo)
		remember(c, old, *result);
	return err;
}
