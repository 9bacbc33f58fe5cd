// SPDX-License-Identifier: MIT
/*
 * A target that belongs to one set: what the trampoline of a set calls, and in which
 * order. Both designs make such.
 *
 * Callbacks, leaves and counters in order of registration; then the one that may change
 * where the function goes on; then the direct trampoline, for good.
 */
#include "core/dispatch.h"
#include "core/leaf.h"
#include "patch/site.h"

#define MAX_LEAVES	32u	/* and counters */
#define NOT_CALLBACK	(FTRACE_OPS_FL_OWN_CODE | FTRACE_OPS_FL_COUNT)
#define SPECIAL		(NOT_CALLBACK | FTRACE_OPS_FL_ASSISTS | FTRACE_OPS_FL_IPMODIFY)

struct calls {
	struct trampoline_call calls[DISPATCH_UNROLLED + MAX_LEAVES];
	u32 nr;
	unsigned long direct;
};

static u32 count_with(const struct ops_set *set, unsigned int flags)
{
	u32 n = 0;

	for (u32 i = 0; i < set->nr; i++)
		n += !!(set->ops[i]->flags & flags);
	return n;
}

/* More than a trampoline calls one by one: it calls a loop, which does all that C can. */
static bool is_loop(const struct ops_set *set)
{
	u32 others = count_with(set, NOT_CALLBACK);

	return set->nr - others > DISPATCH_UNROLLED || others > MAX_LEAVES;
}

/* Who may change where the function goes on is last. */
void ops_set_call(const struct ops_set *set, unsigned long ip, unsigned long parent_ip,
		  struct ftrace_regs *fregs)
{
	struct ftrace_ops *last = NULL;

	for (u32 i = 0; i < set->nr; i++) {
		struct ftrace_ops *op = set->ops[i];

		if (likely(!(op->flags & SPECIAL)))
			op->func(ip, parent_ip, op, fregs);
		else if (op->flags & FTRACE_OPS_FL_IPMODIFY)
			last = op;
		else if (!(op->flags & FTRACE_OPS_FL_DIRECT))
			ops_call(ip, parent_ip, op, fregs);
	}
	if (last)
		ops_call(ip, parent_ip, last, fregs);
}

/* An ftrace_func_t whose argument is the set in place of an op; the trampoline does the rest. */
static void loop_over_set(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *arg,
			  struct ftrace_regs *fregs)
{
	ops_set_call((const struct ops_set *)(const void *)arg, ip, parent_ip, fregs);
}

static void add(struct calls *to, struct trampoline_call call)
{
	to->calls[to->nr++] = call;
}

static void fill(const struct ops_set *set, struct calls *to)
{
	bool loop = is_loop(set);
	struct ftrace_ops *last = NULL;

	for (u32 i = 0; i < set->nr; i++) {
		struct ftrace_ops *op = set->ops[i];

		if (op->flags & FTRACE_OPS_FL_DIRECT)
			to->direct = (unsigned long)op->func;
		else if (op->flags & FTRACE_OPS_FL_IPMODIFY)
			last = op;
		else if (!loop)
			add(to, ops_trampoline_call(op));
	}
	if (loop)
		add(to, (struct trampoline_call){ .func = (unsigned long)loop_over_set, .arg = (unsigned long)set });
	else if (last)
		add(to, ops_trampoline_call(last));
}

static const char *block_name(const struct ops_set *set)
{
	return set->nr == 1 && set->ops[0]->name ? set->ops[0]->name : "[ftrace trampoline]";
}

/* The sites that reach a target lie together, so the first and the last speak for all. */
static bool all_sites_reach(unsigned long target)
{
	return arch_site_reaches(site_at(0)->ip, target) && arch_site_reaches(site_at(nr_sites() - 1)->ip, target);
}

/* Code of an op's own that needs nothing around it. */
static bool is_called_straight(const struct ops_set *set)
{
	return set->nr == 1 && set->ops[0]->flags & FTRACE_OPS_FL_OWN_CODE &&
	       all_sites_reach((unsigned long)set->ops[0]->func);
}

int dispatch_own_target(struct ops_set *set)
{
	struct calls calls = { .nr = 0 };
	struct trampoline_spec spec;
	struct code_block *block;
	int error = 0;

	if (is_called_straight(set)) {
		set->target = (unsigned long)set->ops[0]->func;
		set->block = NULL;
		return 0;
	}
	fill(set, &calls);
	spec = (struct trampoline_spec){
		.calls = calls.calls,
		.nr_calls = calls.nr,
		.flags = ops_set_flags(set) & FTRACE_OPS_FL_SAVE_REGS ? TRAMPOLINE_SAVE_REGS : 0,
		.left_out = (unsigned long)ops_left_out,
		.direct = calls.direct,
	};
	block = dispatch_generate(&spec, block_name(set), &error);
	if (!block)
		return error;
	set->block = block;
	set->target = block->start;
	return 0;
}
