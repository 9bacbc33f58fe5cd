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
#include "base/errno.h"

#define MAX_LEAVES	32u
#define NOT_CALLBACK	(FTRACE_OPS_FL_OWN_CODE | FTRACE_OPS_FL_COUNT)
#define SPECIAL		(NOT_CALLBACK | FTRACE_OPS_FL_ASSISTS | FTRACE_OPS_FL_IPMODIFY)

struct calls {
	struct trampoline_call calls[DISPATCH_UNROLLED + MAX_LEAVES];
	u32 nr;
	unsigned long direct;
};

static bool is_callback(const struct ftrace_ops *op)
{
	return !(op->flags & NOT_CALLBACK);
}

static u32 count_callbacks(const struct ops_set *set)
{
	u32 n = 0;

	for (u32 i = 0; i < set->nr; i++)
		n += is_callback(set->ops[i]);
	return n;
}

/* All but those with one of the flags @but; who may change where the function goes on is last. */
static void call_all(const struct ops_set *set, unsigned int but, unsigned long ip,
		     unsigned long parent_ip, struct ftrace_regs *fregs)
{
	struct ftrace_ops *last = NULL;

	for (u32 i = 0; i < set->nr; i++) {
		struct ftrace_ops *op = set->ops[i];

		if (likely(!(op->flags & SPECIAL)))
			op->func(ip, parent_ip, op, fregs);
		else if (op->flags & FTRACE_OPS_FL_IPMODIFY)
			last = op;
		else if (!(op->flags & but))
			ops_call(ip, parent_ip, op, fregs);
	}
	if (last)
		ops_call(ip, parent_ip, last, fregs);
}

void ops_set_call(const struct ops_set *set, unsigned long ip, unsigned long parent_ip,
		  struct ftrace_regs *fregs)
{
	call_all(set, FTRACE_OPS_FL_DIRECT, ip, parent_ip, fregs);
}

/* An ftrace_func_t whose argument is the set in place of an op; the trampoline does the rest. */
static void walk_callbacks(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *arg,
			   struct ftrace_regs *fregs)
{
	call_all((const struct ops_set *)(const void *)arg, NOT_CALLBACK, ip, parent_ip, fregs);
}

static bool add(struct calls *to, struct trampoline_call call)
{
	if (to->nr == ARRAY_SIZE(to->calls))
		return false;
	to->calls[to->nr++] = call;
	return true;
}

static bool fill(const struct ops_set *set, struct calls *to)
{
	bool loop = count_callbacks(set) > DISPATCH_UNROLLED, fits = true;
	struct ftrace_ops *last = NULL;

	for (u32 i = 0; i < set->nr; i++) {
		struct ftrace_ops *op = set->ops[i];

		if (op->flags & FTRACE_OPS_FL_DIRECT)
			to->direct = (unsigned long)op->func;
		else if (is_callback(op) && (loop || op->flags & FTRACE_OPS_FL_IPMODIFY))
			last = op;
		else
			fits &= add(to, ops_trampoline_call(op));
	}
	if (loop)
		return add(to, (struct trampoline_call){ .func = (unsigned long)walk_callbacks,
							 .arg = (unsigned long)set }) && fits;
	return last ? add(to, ops_trampoline_call(last)) && fits : fits;
}

static const char *block_name(const struct ops_set *set)
{
	return set->nr == 1 && set->ops[0]->name ? set->ops[0]->name : "[ftrace trampoline]";
}

int dispatch_own_target(struct ops_set *set)
{
	struct calls calls = { .nr = 0 };
	struct trampoline_spec spec;
	struct code_block *block;
	int error = 0;

	if (set->nr == 1 && set->ops[0]->flags & FTRACE_OPS_FL_OWN_CODE) {
		set->target = (unsigned long)set->ops[0]->func;
		set->block = NULL;
		return 0;
	}
	if (!fill(set, &calls))
		return -ENOSPC;
	spec = (struct trampoline_spec){
		.calls = calls.calls,
		.nr_calls = calls.nr,
		.flags = ops_set_needs_regs(set) ? TRAMPOLINE_SAVE_REGS : 0,
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
