// SPDX-License-Identifier: MIT
/*
 * Another design for all hooked sites, with ops registered: as a transaction
 * like any other change. Every set gets a target of the new design beside the
 * one it has; one patch batch moves the sites; the losing side is freed when
 * nobody is inside. A failure makes the new side the losing one.
 */
#include "base/errno.h"
#include "base/host.h"
#include "core/dispatch.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static void swap_sides(struct ops_set *set)
{
	unsigned long target = set->target;
	struct code_block *block = set->block;

	set->target = set->other_target;
	set->block = set->other_block;
	set->other_target = target;
	set->other_block = block;
}

/* The old side goes to other_*; on an error as many sets as @done have a new one. */
static int make_targets(const struct dispatch_design *to, u32 *done)
{
	struct ops_set *set;
	int err = to->start ? to->start() : 0;

	for (set = ops_set_first(); set && !err; set = ops_set_after(set)) {
		swap_sides(set);
		err = to->target(set);
		if (err)
			swap_sides(set);
		else
			(*done)++;
	}
	return err;
}

/* What the old design has beside a site's call goes with it. */
static int queue_switch(const struct dispatch_design *from, const struct dispatch_design *to,
			struct dyn_ftrace *rec)
{
	const struct ops_set *set = ops_set_at(rec->set);
	int err = set && from->site ? from->site(rec, NULL) : 0;

	return err || !set ? err : dispatch_queue_site(to, rec, set);
}

static int patch_all(const struct dispatch_design *from, const struct dispatch_design *to)
{
	int err = text_poke_begin();

	if (err)
		return err;
	for (u32 i = 0; i < nr_sites() && !err; i++)
		err = queue_switch(from, to, site_at(i));
	if (err) {
		text_poke_abort();
		return err;
	}
	return text_poke_commit();
}

/* Free the other side of the first @nr sets. Nobody new can get there. */
static void drop_other_side(const struct dispatch_design *design, struct address_range *ranges, u32 nr)
{
	struct ops_set *set;
	u32 n = 0, i;

	for (set = ops_set_first(), i = 0; i < nr; set = ops_set_after(set), i++)
		n += dispatch_block_ranges(&set->other_block, 1, &ranges[n]);
	if (design->walkers)
		n += design->walkers(&ranges[n]);
	quiesce(ranges, n);
	for (set = ops_set_first(), i = 0; i < nr; set = ops_set_after(set), i++) {
		if (set->other_block)
			code_pool_free(set->other_block);
		set->other_block = NULL;
		set->other_target = 0;
	}
}

int dispatch_switch(const struct dispatch_design *from, const struct dispatch_design *to)
{
	struct address_range *ranges;
	struct ops_set *set;
	u32 done = 0, i;
	int err;

	ranges = host_alloc((ops_set_total() + DISPATCH_MAX_WALKERS) * sizeof(*ranges));
	if (!ranges)
		return -ENOMEM;
	err = make_targets(to, &done);
	if (!err) {
		code_pool_publish();
		err = patch_all(from, to);
	}
	if (err)
		for (set = ops_set_first(), i = 0; i < done; set = ops_set_after(set), i++)
			swap_sides(set);
	drop_other_side(err ? to : from, ranges, done);
	host_free(ranges);
	return err;
}
