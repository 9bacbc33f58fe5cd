// SPDX-License-Identifier: MIT
/*
 * The design `list`, the classic: a site with one op calls that op's own
 * trampoline; sites with more share a walker, which goes through ALL registered
 * ops and tests their filters.
 *
 * An op's own trampoline belongs to the set of that op alone, and no site
 * outside its filter ever calls it. So has a set with an op that the walker cannot
 * call: code of its own, a counter, one that may change where the function goes on.
 * The two walker trampolines (one saves every register) are made on first use and
 * stay. Whoever walks has to return to a walker trampoline, so their ranges stand for
 * the walk as well.
 */
#include "base/atomic.h"
#include "core/dispatch.h"
#include "core/hash.h"
#include "core/leaf.h"

static struct code_block *walker[2];	/* [1] saves every register */

/* Never called by the walker: the sets it is in have a trampoline of their own. */
static bool needs_own(const struct ftrace_ops *op)
{
	return op->flags & (FTRACE_OPS_FL_OWN_CODE | FTRACE_OPS_FL_COUNT | FTRACE_OPS_FL_IPMODIFY);
}

static bool op_is_wanted(const struct ftrace_ops *op, unsigned long ip, struct ftrace_regs *fregs)
{
	if (needs_own(op))
		return false;
	if (!(op->flags & FTRACE_OPS_FL_SELF_FILTER) &&
	    !hash_pair_wants(smp_load_acquire(&op->filter), smp_load_acquire(&op->excluded), ip))
		return false;
	/*
	 * On the way in or out an op may be found at a site whose trampoline was
	 * chosen without it: what it relies on is not there yet.
	 */
	return !(op->flags & FTRACE_OPS_FL_SAVE_REGS) || ftrace_get_regs(fregs);
}

static void walk_ops(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
		     struct ftrace_regs *fregs)
{
	/* Pairs with the release in change.c: the array is complete. */
	const struct ftrace_ops_list *list = smp_load_acquire(&ftrace_ops_list);
	struct ftrace_ops *op;
	unsigned int i;

	for (i = 0; list && i < list->nr; i++) {
		op = list->ops[i];
		if (op_is_wanted(op, ip, fregs))
			ops_call(ip, parent_ip, op, fregs);
	}
}

static struct code_block *generate(struct trampoline_call call, bool regs, const char *name,
				   int *error)
{
	struct trampoline_spec spec = {
		.calls = &call,
		.nr_calls = 1,
		.flags = regs ? TRAMPOLINE_SAVE_REGS : 0,
	};

	return dispatch_generate(&spec, name, error);
}

static int shared_target(struct ops_set *set)
{
	static struct ftrace_ops unused;
	struct trampoline_call call = { .func = (unsigned long)walk_ops, .arg = (unsigned long)&unused };
	bool regs = ops_set_flags(set) & FTRACE_OPS_FL_SAVE_REGS;
	int error = 0;

	if (!walker[regs])
		walker[regs] = generate(call, regs, regs ? "[ftrace walker, regs]" : "[ftrace walker]",
					&error);
	if (!walker[regs])
		return error;
	set->target = walker[regs]->start;
	return 0;
}

static int list_target(struct ops_set *set)
{
	for (u32 i = 0; i < set->nr; i++)
		if (set->nr == 1 || needs_own(set->ops[i]))
			return dispatch_own_target(set);
	return shared_target(set);
}

static unsigned int list_walkers(struct address_range *ranges)
{
	return dispatch_block_ranges(walker, ARRAY_SIZE(walker), ranges);
}

const struct dispatch_design dispatch_list = {
	.name = "list",
	.target = list_target,
	.walkers = list_walkers,
};
