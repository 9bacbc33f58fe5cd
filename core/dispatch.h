// SPDX-License-Identifier: MIT
/*
 * How the ops of a site become the target of its call: a *design*, an object,
 * so that trying another one is one file and one line in dispatch.c.
 *
 * What a design may rely on: the sets (core/ops_set.h) are immutable, and
 * ftrace_ops_list, the array of all registered ops, contains an ops before the
 * first site that calls it is switched on and until the last one is off.
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"
#include "core/ops_set.h"
#include "core/quiesce.h"
#include "patch/code_pool.h"

#define DISPATCH_MAX_WALKERS	2

/**
 * struct dispatch_design - a way to get from a site to its ops
 * @name: as in dispatch=
 * @target: fill in set->target, the address that a site with this set shall call,
 *	    and set->block when the code there is the set's own. Return: 0, -ENOMEM,
 *	    -ENOSPC, -ERANGE; the set is as before then.
 * @walkers: code that stays while ops come and go, and reads ftrace_ops_list or
 *	     filters: fill in at most DISPATCH_MAX_WALKERS ranges, return how many.
 *	     Who is in there may hold what retires. NULL: there is none.
 *
 * A set's own block is freed by core, when nobody is in it.
 */
struct dispatch_design {
	const char *name;
	int (*target)(struct ops_set *set);
	unsigned int (*walkers)(struct address_range *ranges);
};

extern const struct dispatch_design dispatch_list;

/* The design in use. */
const struct dispatch_design *dispatch_current(void);

/**
 * dispatch_select() - choose the design
 * @name: its name
 *
 * Thread context. Return: 0, -EINVAL when there is none of this name, -EBUSY
 * while ops are registered.
 */
int __must_check dispatch_select(const char *name);

/**
 * dispatch_generate() - make a trampoline in the code pool
 * @spec: what it shall call and save
 * @name: for backtraces; not copied
 * @error: -ENOSPC or -ERANGE when there is none
 *
 * Under ftrace_mutex. It may be run after code_pool_publish(). Return: its block
 * or NULL.
 */
struct code_block *dispatch_generate(const struct trampoline_spec *spec, const char *name,
				     int *error);

/* Call an op with the assists that its flags ask for; an ftrace_func_t. */
void ops_call_assisted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs);

/* What a trampoline calls for an op: its func, or the assists before it. */
struct trampoline_call ops_trampoline_call(struct ftrace_ops *op);
