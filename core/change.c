// SPDX-License-Identifier: MIT
/*
 * The transaction behind registering, unregistering and changing filters.
 *
 * Invariants: a site's record has the set whose target the site calls; the ops
 * list in force has every op that any site may reach; an object is freed only
 * when it can no longer be reached and nobody is inside.
 */
#include "core/change.h"
#include "core/dispatch.h"
#include "core/fgraph_users.h"
#include "core/quiesce.h"
#include "base/atomic.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/sort.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

struct ftrace_ops_list *ftrace_ops_list;
static u32 nr_changes;

/* ---- prepare: which records --------------------------------------------- */

static bool wants_before(const struct ftrace_change *c, unsigned long ip)
{
	return c->was && hash_pair_wants(c->ops->filter, c->ops->excluded, ip);
}

static bool wants_after(const struct ftrace_change *c, unsigned long ip)
{
	return c->is && hash_pair_wants(c->filter, c->excluded, ip);
}

/* Is every record a candidate, or only those in the filters? */
static bool all_are_candidates(const struct ftrace_change *c)
{
	return (c->was && hash_is_empty(c->ops->filter)) || (c->is && hash_is_empty(c->filter));
}

static void touch(struct ftrace_change *c, struct dyn_ftrace *rec)
{
	if (rec->flags & FTRACE_FL_UNREACHABLE)
		return;
	if (c->ops->func == fgraph_enter && fgraph_never(rec->ip))
		return;
	if (wants_before(c, rec->ip) != wants_after(c, rec->ip))
		c->touched[c->nr_touched++].site = rec - site_at(0);
}

static void touch_all(struct ftrace_change *c)
{
	u32 i;

	for (i = 0; i < nr_sites(); i++)
		touch(c, site_at(i));
}

static void touch_hash(struct ftrace_change *c, const struct ftrace_hash *hash,
		       const struct ftrace_hash *done)
{
	u32 i;

	for (i = 0; i < hash_slots(hash); i++) {
		if (!hash->ips[i] || (done && hash_has(done, hash->ips[i])))
			continue;
		touch(c, site_find(hash->ips[i]));
	}
}

static int compare_sites(const void *a, const void *b)
{
	const struct touched_site *x = a, *y = b;

	return x->site < y->site ? -1 : x->site > y->site;
}

static int find_touched(struct ftrace_change *c)
{
	bool all = all_are_candidates(c);
	const struct ftrace_hash *before = !all && c->was ? c->ops->filter : NULL;
	const struct ftrace_hash *after = !all && c->is ? c->filter : NULL;
	u32 most = all ? nr_sites() : (before ? before->nr : 0) + (after ? after->nr : 0);

	c->touched = host_alloc((most + 1) * sizeof(*c->touched));
	if (!c->touched)
		return -ENOMEM;
	if (all) {
		touch_all(c);
		return 0;
	}
	if (before)
		touch_hash(c, before, NULL);
	if (after)
		touch_hash(c, after, before);
	/* The patch queue likes its changes in order. */
	sort(c->touched, c->nr_touched, sizeof(*c->touched), compare_sites);
	return 0;
}

/* ---- prepare: their sets and targets -------------------------------------- */

/* The first record of a set makes the new set; its result is kept for the others. */
static int transition(struct ftrace_change *c, struct ops_set *set, bool add,
		      struct ops_set **result)
{
	struct ops_set **kept = set ? &set->becomes : &c->first_set;
	bool known = set ? set->change == c->number : !!c->first_set;
	int err;

	if (known) {
		*result = *kept;
		if (*result)
			(*result)->users++;
		return 0;
	}
	err = add ? ops_set_with(set, c->ops, result) : ops_set_without(set, c->ops, result);
	if (err)
		return err;
	*kept = *result;
	if (set)
		set->change = c->number;
	return 0;
}

static int prepare_sites(struct ftrace_change *c)
{
	u32 nr = c->nr_touched, i;
	struct dyn_ftrace *rec;
	struct ops_set *set;
	int err;

	/* What rolls back puts one use for each of nr_touched: it grows with them. */
	c->nr_touched = 0;
	for (i = 0; i < nr; i++) {
		rec = site_at(c->touched[i].site);
		err = transition(c, ops_set_get(rec->set), wants_after(c, rec->ip), &set);
		if (err)
			return err;
		c->touched[i].set = set ? set->index : 0;
		c->nr_touched++;
		if (!set || set->target)
			continue;
		err = dispatch_current()->target(set);
		if (err)
			return err;
	}
	return 0;
}

/* ---- prepare: the ops list and what release will need ------------------------- */

static int prepare_list(struct ftrace_change *c)
{
	const struct ftrace_ops_list *old = ftrace_ops_list;
	unsigned int nr = old ? old->nr : 0, i;

	c->list_changes = c->was != c->is;
	if (!c->list_changes || (c->was && nr == 1))
		return 0;
	c->list = host_alloc(sizeof(*c->list) + (nr + 1) * sizeof(c->list->ops[0]));
	if (!c->list)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (old->ops[i] != c->ops)
			c->list->ops[c->list->nr++] = old->ops[i];
	}
	if (c->is)
		c->list->ops[c->list->nr++] = c->ops;
	return 0;
}

/*
 * Each set that dies gives two ranges. At most all that there are now die, or all
 * that the change makes of them: one each, and one for records without set.
 */
static int prepare_ranges(struct ftrace_change *c)
{
	u32 most = 2 * (ops_set_count() + 1) + DISPATCH_MAX_WALKERS + 3;

	c->ranges = host_alloc(most * sizeof(*c->ranges));
	return c->ranges ? 0 : -ENOMEM;
}

static int prepare(struct ftrace_change *c)
{
	int err = prepare_ranges(c);

	if (!err)
		err = prepare_list(c);
	if (!err)
		err = find_touched(c);
	if (!err)
		err = prepare_sites(c);
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

static unsigned long target_after(const struct touched_site *t)
{
	const struct ops_set *set = ops_set_get(t->set);

	return set ? set->target : 0;
}

static int patch_sites(struct ftrace_change *c)
{
	const struct touched_site *t = c->touched, *end = t + c->nr_touched;
	int err;

	err = text_poke_begin();
	if (err)
		return err;
	for (; t < end; t++) {
		if (site_target(site_at(t->site)) == target_after(t))
			continue;
		err = site_queue(site_at(t->site), target_after(t));
		if (err) {
			text_poke_abort();
			return err;
		}
	}
	return text_poke_commit();
}

static void swap_filters(struct ftrace_change *c)
{
	struct ftrace_hash *filter = c->ops->filter, *excluded = c->ops->excluded;

	/* One of the two at most is new, so a walker sees the old pair or the new one. */
	BUG_ON(filter != c->filter && excluded != c->excluded);
	smp_store_release(&c->ops->filter, c->filter);
	smp_store_release(&c->ops->excluded, c->excluded);
	c->filter = filter;
	c->excluded = excluded;
}

static void swap_sets(struct ftrace_change *c)
{
	u32 i, old;

	for (i = 0; i < c->nr_touched; i++) {
		struct dyn_ftrace *rec = site_at(c->touched[i].site);

		old = rec->set;
		rec->set = c->touched[i].set;
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
	err = patch_sites(c);
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

/* ---- release ---------------------------------------------------------------- */

static struct ops_set *put_losers(struct ftrace_change *c)
{
	struct ops_set *dying = NULL, *set;
	u32 i;

	for (i = 0; i < c->nr_touched; i++) {
		set = ops_set_get(c->touched[i].set);
		if (set)
			ops_set_put(set, &dying);
	}
	return dying;
}

static void add_range(struct address_range **at, const void *object, size_t bytes)
{
	(*at)->start = (unsigned long)object;
	(*at)->end = (unsigned long)object + bytes;
	(*at)++;
}

static struct address_range *add_set_ranges(struct address_range *at, const struct ops_set *set)
{
	for (; set; set = set->next) {
		add_range(&at, set, sizeof(*set) + set->nr * sizeof(set->ops[0]));
		if (set->block)
			add_range(&at, (void *)set->block->start, set->block->size);
	}
	return at;
}

/* The list and the filters are found through walkers, which also hold the ops. */
static struct address_range *add_walker_ranges(struct address_range *at, struct ftrace_change *c)
{
	const struct ftrace_hash *filter = c->filter, *excluded = c->excluded;

	if (c->list)
		add_range(&at, c->list, sizeof(*c->list) + c->list->nr * sizeof(c->list->ops[0]));
	if (filter && filter != c->ops->filter)
		add_range(&at, filter, hash_bytes(filter));
	if (excluded && excluded != c->ops->excluded)
		add_range(&at, excluded, hash_bytes(excluded));
	if (dispatch_current()->walkers)
		at += dispatch_current()->walkers(at);
	return at;
}

/* Sets that lost sites and live on: who is in there may still act for a site that was lost. */
static struct address_range *add_loser_ranges(struct address_range *at, const struct ftrace_change *c)
{
	struct ops_set *set;
	u32 i;

	for (i = 0; i < c->nr_touched; i++) {
		set = ops_set_get(c->touched[i].set);
		if (!set || !set->users || set->change != c->number)
			continue;
		set->change = 0;	/* once */
		if (set->block)
			add_range(&at, (void *)set->block->start, set->block->size);
	}
	return at;
}

static void wait_for_leavers(struct ftrace_change *c, const struct ops_set *dying)
{
	struct address_range *end = add_set_ranges(c->ranges, dying);

	end = add_loser_ranges(end, c);
	end = add_walker_ranges(end, c);
	quiesce(c->ranges, end - c->ranges);
}

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

static void release(struct ftrace_change *c, int err)
{
	struct ops_set *dying = put_losers(c);

	if (c->visible)
		wait_for_leavers(c, dying);
	free_sets(dying);
	host_free(c->list);
	if (!err && c->filter != c->ops->filter)
		host_free(c->filter);
	if (!err && c->excluded != c->ops->excluded)
		host_free(c->excluded);
	host_free(c->touched);
	host_free(c->ranges);
}

int ftrace_change_run(struct ftrace_change *c)
{
	int err;

	c->number = ++nr_changes;
	err = prepare(c);
	if (!err)
		err = commit(c);
	release(c, err);
	return err;
}
