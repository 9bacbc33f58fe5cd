// SPDX-License-Identifier: MIT
/*
 * The design `set`: every set has a trampoline that calls its ops one after the
 * other. No walk over others' ops, no filter tested, no register saved that
 * its ops do not need.
 *
 *	one op that is code	site -> op (leaf, direct)
 *	up to 16 callbacks, 32	site -> trampoline: call op 1, call op 2, ...
 *	leaves and counters
 *	more			site -> trampoline: call the loop over the set
 *	pool full		site -> shared trampoline: call walk_site, which finds the
 *				record and its set by the site's address
 *
 * Sites of the shared trampoline may be on their way from one set to another
 * while walk_site() looks: it then calls the old ops or the new ones, as a site
 * that is being patched does.
 */
#include "base/atomic.h"
#include "base/errno.h"
#include "core/dispatch.h"
#include "core/leaf.h"
#include "patch/site.h"

static struct code_block *shared;
static unsigned long shared_sets;	/* sets that found the pool full */
static unsigned long refused_sets; /* likewise, with a direct op */

static void walk_site(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
		      struct ftrace_regs *fregs)
{
	const struct dyn_ftrace *rec = site_find(ip);
	/* Pairs with the release in change.c: set and index are complete. */
	const struct ops_set *set = rec ? ops_set_at(smp_load_acquire(&rec->set)) : NULL;

	if (set)
		ops_set_call(set, ip, parent_ip, fregs);
}

/*
 * Before any set may take the pool's last room. It saves every register: while a site
 * goes from one set to another, walk_site() may call either, and one may need them.
 */
static int set_start(void)
{
	struct trampoline_call call = { .func = (unsigned long)walk_site };
	struct trampoline_spec spec = {
		.calls = &call,
		.nr_calls = 1,
		.flags = TRAMPOLINE_SAVE_REGS,
	};
	int error = 0;

	if (!shared)
		shared = dispatch_generate(&spec, "[ftrace shared]", &error);
	return error;
}

static int set_target(struct ops_set *set)
{
	int err = dispatch_own_target(set);

	if (err != -ENOSPC)
		return err;
	/* Jumped to at a trampoline's end: one that is shared has no place to keep where to, see docs/design.md. */
	if (ops_set_flags(set) & FTRACE_OPS_FL_DIRECT) {
		refused_sets++;
		return err;
	}
	shared_sets++;
	set->target = shared->start;
	return 0;
}

static unsigned int set_walkers(struct address_range *ranges)
{
	return dispatch_block_ranges(&shared, 1, ranges);
}

unsigned long dispatch_set_shared(void)
{
	return shared_sets;
}

unsigned long dispatch_set_refused(void)
{
	return refused_sets;
}

const struct dispatch_design dispatch_set = {
	.name = "set",
	.start = set_start,
	.target = set_target,
	.walkers = set_walkers,
};
