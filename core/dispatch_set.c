// SPDX-License-Identifier: MIT
/*
 * The design `set`: every set has a trampoline that calls its ops one after the
 * other. No walk over others' ops, no filter tested, no register saved that
 * its ops do not need.
 *
 *	up to UNROLLED ops	site -> trampoline: call op 1, call op 2, ...
 *	more			site -> trampoline: call walk_set, which loops over the set
 *	pool full		site -> shared trampoline: call walk_site, which finds the
 *				record and its set by the site's address
 *
 * Sites of the shared trampoline may be on their way from one set to another
 * while walk_site() looks: it then calls the old ops or the new ones, as a site
 * that is being patched does.
 */
#include "core/dispatch.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "patch/site.h"

#define UNROLLED	16u

static struct code_block *shared[2];	/* [1] saves every register */
static unsigned long shared_sets;	/* sets that found the pool full */

static void call_all(const struct ops_set *set, unsigned long ip, unsigned long parent_ip,
		     struct ftrace_regs *fregs)
{
	for (u32 i = 0; i < set->nr; i++) {
		struct ftrace_ops *op = set->ops[i];

		if (op->flags & FTRACE_OPS_FL_ASSISTS)
			ops_call_assisted(ip, parent_ip, op, fregs);
		else
			op->func(ip, parent_ip, op, fregs);
	}
}

/* An ftrace_func_t whose argument is the set in place of an op. */
static void walk_set(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *arg,
		     struct ftrace_regs *fregs)
{
	call_all((const struct ops_set *)(const void *)arg, ip, parent_ip, fregs);
}

static void walk_site(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
		      struct ftrace_regs *fregs)
{
	const struct dyn_ftrace *rec = site_find(ip);
	const struct ops_set *set = rec ? ops_set_get(READ_ONCE(rec->set)) : NULL;

	if (set)
		call_all(set, ip, parent_ip, fregs);
}

static int make_shared(bool regs)
{
	struct trampoline_call call = { (unsigned long)walk_site, 0 };
	struct trampoline_spec spec = {
		.calls = &call,
		.nr_calls = 1,
		.flags = regs ? TRAMPOLINE_SAVE_REGS : 0,
	};
	int error = 0;

	shared[regs] = dispatch_generate(&spec, regs ? "[ftrace shared, regs]" : "[ftrace shared]", &error);
	return error;
}

/* Both, before any set may take the pool's last room. */
static int set_start(void)
{
	for (unsigned int regs = 0; regs < ARRAY_SIZE(shared); regs++) {
		int err = shared[regs] ? 0 : make_shared(regs);

		if (err)
			return err;
	}
	return 0;
}

static u32 fill_calls(const struct ops_set *set, struct trampoline_call *calls)
{
	if (set->nr > UNROLLED) {
		calls[0] = (struct trampoline_call){ (unsigned long)walk_set, (unsigned long)set };
		return 1;
	}
	for (u32 i = 0; i < set->nr; i++)
		calls[i] = ops_trampoline_call(set->ops[i]);
	return set->nr;
}

static const char *block_name(const struct ops_set *set)
{
	return set->nr == 1 && set->ops[0]->name ? set->ops[0]->name : "[ftrace trampoline]";
}

static int set_target(struct ops_set *set)
{
	struct trampoline_call calls[UNROLLED];
	bool regs = ops_set_needs_regs(set);
	struct trampoline_spec spec = {
		.calls = calls,
		.nr_calls = fill_calls(set, calls),
		.flags = regs ? TRAMPOLINE_SAVE_REGS : 0,
	};
	int error = 0;

	set->block = dispatch_generate(&spec, block_name(set), &error);
	if (set->block) {
		set->target = set->block->start;
		return 0;
	}
	if (error != -ENOSPC)
		return error;
	shared_sets++;
	set->target = shared[regs]->start;
	return 0;
}

static unsigned int set_walkers(struct address_range *ranges)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(shared); i++) {
		if (!shared[i])
			continue;
		ranges[n].start = shared[i]->start;
		ranges[n].end = shared[i]->start + shared[i]->size;
		n++;
	}
	return n;
}

unsigned long dispatch_set_shared(void)
{
	return shared_sets;
}

const struct dispatch_design dispatch_set = {
	.name = "set",
	.start = set_start,
	.target = set_target,
	.walkers = set_walkers,
};
