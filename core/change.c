// SPDX-License-Identifier: MIT
/*
 * The transaction behind registering, unregistering and changing filters.
 *
 * Invariants: a site's record has the set whose target the site calls; the ops
 * list in force has every op that any site may reach; an object is freed only
 * when it can no longer be reached and nobody is inside.
 */
#include "core/change.h"
#include "base/atomic.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "core/dispatch.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

struct ftrace_ops_list *ftrace_ops_list;
static u32 nr_changes;

/* ---- prepare ---------------------------------------------------------------- */

static void mark_leaving(const struct ftrace_change *c, bool leaving)
{
	for (u32 i = 0; i < c->nr_ops; i++) {
		if (leaving)
			c->ops[i]->flags |= FTRACE_OPS_FL_LEAVING;
		else
			c->ops[i]->flags &= ~FTRACE_OPS_FL_LEAVING;
	}
}

static void append(struct ftrace_ops_list *list, struct ftrace_ops *op)
{
	list->ops[list->nr++] = op;
}

static int prepare_list(struct ftrace_change *c)
{
	const struct ftrace_ops_list *old = ftrace_ops_list;
	u32 nr = old ? old->nr : 0, joining = c->is ? c->nr_ops : 0, joined = 0, i;

	c->list_changes = c->was != c->is;
	if (!c->list_changes || (c->was && nr == c->nr_ops))
		return 0;
	c->list = host_alloc(sizeof(*c->list) + (nr + c->nr_ops) * sizeof(c->list->ops[0]));
	if (!c->list)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (old->ops[i]->flags & FTRACE_OPS_FL_LEAVING)
			continue;
		while (joined < joining && c->ops[joined]->order < old->ops[i]->order)
			append(c->list, c->ops[joined++]);
		append(c->list, old->ops[i]);
	}
	while (joined < joining)
		append(c->list, c->ops[joined++]);
	return 0;
}

static int prepare(struct ftrace_change *c)
{
	int err = prepare_list(c);

	if (!err)
		err = change_prepare_sites(c);
	if (!err)
		err = change_prepare_release(c);
	return err;
}

/* ---- commit --------------------------------------------------------------- */

static void swap_lists(struct ftrace_change *c)
{
	struct ftrace_ops_list *old = ftrace_ops_list;

	/* Pairs with the walkers' smp_load_acquire(): the array is filled in before it is found. */
	smp_store_release(&ftrace_ops_list, c->list);
	c->list = old;
	c->visible = true;
}

static int queue_sites(const struct ftrace_change *c)
{
	const struct touched_site *t = c->touched, *end = t + c->nr_touched;
	int err = 0;

	for (; t < end && !err; t++)
		err = dispatch_queue_site(dispatch_current(), site_at(t->site), ops_set_at(t->set));
	return err;
}

static int patch(const struct ftrace_change *c)
{
	int err = text_poke_begin();

	if (err)
		return err;
	err = queue_sites(c);
	if (!err && c->also)
		err = c->also(c->ops[0]);
	if (err) {
		text_poke_abort();
		return err;
	}
	return text_poke_commit();
}

static void swap_filters(struct ftrace_change *c)
{
	struct ftrace_ops *op = c->ops[0];
	struct ftrace_hash *filter = op->filter, *excluded = op->excluded;

	if (!changes_filters(c))
		return;
	/* One of the two at most is new, so a walker sees the old pair or the new one. */
	BUG_ON(filter != c->filter && excluded != c->excluded);
	smp_store_release(&op->filter, c->filter);
	smp_store_release(&op->excluded, c->excluded);
	c->filter = filter;
	c->excluded = excluded;
}

static void swap_sets(struct ftrace_change *c)
{
	u32 i, old;

	for (i = 0; i < c->nr_touched; i++) {
		struct dyn_ftrace *rec = site_at(c->touched[i].site);

		old = rec->set;
		/* Pairs with walk_site()'s smp_load_acquire(): the set is complete before it is found. */
		smp_store_release(&rec->set, c->touched[i].set);
		c->touched[i].set = old;
	}
}

/* On an error the list in force is the old one again. */
static int commit(struct ftrace_change *c)
{
	bool grows = c->list_changes && c->is;
	int err;

	code_pool_publish();
	if (grows)
		swap_lists(c);
	err = patch(c);
	if (err) {
		if (grows)
			swap_lists(c);
		return err;
	}
	c->visible = true;
	if (c->list_changes && !grows)
		swap_lists(c);
	swap_sets(c);
	swap_filters(c);
	return 0;
}

int ftrace_change_run(struct ftrace_change *c)
{
	int err;

	c->number = ++nr_changes;
	mark_leaving(c, !c->is);
	err = prepare(c);
	if (!err)
		err = commit(c);
	mark_leaving(c, false);
	change_release(c, err);
	return err;
}
