// SPDX-License-Identifier: MIT
/*
 * A third design, as one might add it: the set of a site stands in a word beside it, written
 * in the batch that switches its call, and one trampoline for all sites calls what that says.
 */
#include "fake.h"

#include "core/dispatch.h"
#include "patch/site.h"
#include "patch/text_poke.h"

/* By record, for this host's functions have no room beside them. */
#define MOST_SITES	64
static const struct ops_set *beside[MOST_SITES];

static struct code_block *common;

static void call_beside(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
			struct ftrace_regs *fregs)
{
	const struct ops_set *set = beside[site_find(ip) - site_at(0)];

	if (set)
		ops_set_call(set, ip, parent_ip, fregs);
}

static int start(void)
{
	struct trampoline_call call = { .func = (unsigned long)call_beside };
	struct trampoline_spec spec = { .calls = &call, .nr_calls = 1, .flags = TRAMPOLINE_SAVE_REGS };
	int error = 0;

	check(nr_sites() <= MOST_SITES);
	if (!common)
		common = dispatch_generate(&spec, "[common]", &error);
	return error;
}

static int target(struct ops_set *set)
{
	set->target = common->start;
	set->block = NULL;
	return 0;
}

static int site(const struct dyn_ftrace *rec, const struct ops_set *set)
{
	const struct ops_set **word = &beside[rec - site_at(0)];

	return text_poke_queue((unsigned long)word, (const u8 *)word, (const u8 *)&set, sizeof(set));
}

static unsigned int walkers(struct address_range *ranges)
{
	return dispatch_block_ranges(&common, 1, ranges);
}

const struct dispatch_design dispatch_other = {
	.name = "third",
	.start = start,
	.target = target,
	.site = site,
	.walkers = walkers,
};
