// SPDX-License-Identifier: MIT
/* The designs there are, and what they share: making trampolines, assists before an op. */
#include "core/dispatch.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/context.h"
#include "core/fgraph.h"
#include "core/leaf.h"
#include "core/lock.h"
#include "patch/code_pool.h"
#include "patch/site.h"

#define MAX_TRAMPOLINE_BYTES	4096

/* Best first: the first one is the default. The last one may be missing. */
static const struct dispatch_design *const designs[] = {
	&dispatch_set, &dispatch_list, &dispatch_other,
};
static const struct dispatch_design *current_design = &dispatch_set;

const struct dispatch_design *dispatch_current(void)
{
	return current_design;
}

const char *dispatch_name(unsigned int n)
{
	return n < ARRAY_SIZE(designs) && designs[n] ? designs[n]->name : NULL;
}

int dispatch_init(void)
{
	return current_design->start ? current_design->start() : 0;
}

static const struct dispatch_design *find_design(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(designs); i++)
		if (designs[i] && !strcmp(designs[i]->name, name))
			return designs[i];
	return NULL;
}

int dispatch_select(const char *name)
{
	const struct dispatch_design *design = find_design(name);
	int err;

	if (!design)
		return -EINVAL;
	err = ftrace_lock();
	if (err)
		return err;
	if (design != current_design)
		err = dispatch_switch(current_design, design);
	if (!err)
		current_design = design;
	ftrace_unlock();
	return err;
}

int dispatch_queue_site(const struct dispatch_design *design, struct dyn_ftrace *rec,
			const struct ops_set *set)
{
	unsigned long target = set ? set->target : 0;
	int err = site_target(rec) == target ? 0 : site_queue(rec, target);

	return err || !design->site ? err : design->site(rec, set);
}

/* A graph user alone has code of its own kind. */
static int generate(const struct trampoline_spec *spec, unsigned long at, u8 *code, size_t room,
		    struct trampoline_frame *frame)
{
	if (fgraph_is_alone(spec))
		return fgraph_generate(spec, at, code, room, frame);
	return arch_trampoline_generate(spec, at, code, room, frame);
}

unsigned int dispatch_block_ranges(struct code_block *const *blocks, unsigned int nr,
				   struct address_range *ranges)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < nr; i++) {
		if (!blocks[i])
			continue;
		ranges[n].start = blocks[i]->start;
		ranges[n].end = blocks[i]->start + blocks[i]->size;
		n++;
	}
	return n;
}

struct code_block *dispatch_generate(const struct trampoline_spec *spec, const char *name,
				     int *error)
{
	static u8 code[MAX_TRAMPOLINE_BYTES];
	struct trampoline_frame frame;
	struct code_block *block;
	size_t pool_bytes;
	int size;

	/* Once for its size, which does not depend on the place within the pool. */
	size = generate(spec, host_code_pool(&pool_bytes), code, sizeof(code), &frame);
	if (size < 0) {
		*error = size;
		return NULL;
	}
	block = code_pool_alloc(size, name);
	if (!block) {
		*error = -ENOSPC;
		return NULL;
	}
	size = generate(spec, block->start, code, block->size, &block->frame);
	if (size < 0) {
		code_pool_free(block);
		*error = size;
		return NULL;
	}
	code_pool_write(block, code, size);
	block->flags |= CODE_TRAMPOLINE;
	return block;
}

void ops_call_assisted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs)
{
	struct trace_state *state = host_trace_state();

	if ((op->flags & FTRACE_OPS_FL_RCU) && !host_is_watching()) {
		atomic_inc(&op->not_watching);
		return;
	}
	if (!(op->flags & FTRACE_OPS_FL_RECURSION)) {
		op->func(ip, parent_ip, op, fregs);
		return;
	}
	if (!recursion_enter(state, RECURSION_OPS)) {
		atomic_inc(&op->recursed);
		return;
	}
	op->func(ip, parent_ip, op, fregs);
	recursion_exit(state, RECURSION_OPS);
}

/* A counter or a leaf. */
static void call_special(const struct ftrace_ops *op, unsigned long parent_ip)
{
	if (op->flags & FTRACE_OPS_FL_COUNT)
		leaf_count(op);
	else
		arch_leaf_call((unsigned long)op->func, parent_ip);
}

void ops_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
	      struct ftrace_regs *fregs)
{
	if (op->flags & FTRACE_OPS_FL_ASSISTS)
		ops_call_assisted(ip, parent_ip, op, fregs);
	else if (op->flags & (FTRACE_OPS_FL_COUNT | FTRACE_OPS_FL_LEAF))
		call_special(op, parent_ip);
	else
		op->func(ip, parent_ip, op, fregs);
}

/* From generated code: a call was left out by a test. */
void ops_left_out(unsigned long *count)
{
	atomic_inc(count);
}

struct trampoline_call ops_trampoline_call(struct ftrace_ops *op)
{
	unsigned int flags = op->flags;

	if (flags & FTRACE_OPS_FL_COUNT)
		return (struct trampoline_call){ .arg = op->counter, .flags = TRAMPOLINE_CALL_COUNT };
	return (struct trampoline_call) {
		.func = (unsigned long)op->func,
		.arg = (unsigned long)op,
		.flags = (flags & FTRACE_OPS_FL_LEAF ? TRAMPOLINE_CALL_LEAF : 0) |
			 (flags & FTRACE_OPS_FL_RECURSION ? TRAMPOLINE_CALL_GUARD : 0) |
			 (flags & FTRACE_OPS_FL_RCU ? TRAMPOLINE_CALL_WATCHING : 0),
		.recursed = (unsigned long)&op->recursed,
		.not_watching = (unsigned long)&op->not_watching,
	};
}
