// SPDX-License-Identifier: MIT
/*
 * How the ops of a site become the target of its call: a *design*, an object,
 * so that trying another one is one file, which may be the image's: dispatch_other.
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
#define DISPATCH_UNROLLED	16u	/* callbacks; more are called in a loop */

/**
 * struct dispatch_design - a way to get from a site to its ops
 * @name: as in dispatch=
 * @start: make what the design needs before its first set; may be called again. NULL: nothing
 * @target: fill in set->target, the address that a site with this set shall call,
 *	    and set->block when the code there is the set's own. Return: 0, -ENOMEM,
 *	    -ENOSPC, -ERANGE; the set is as before then.
 * @site: queue, in the batch that is open, what changes at a site beside its call when its
 *	  set becomes @set, NULL for none: a word beside the function, say. Return: 0 or
 *	  what text_poke_queue() answers. NULL: nothing else changes.
 * @walkers: code that stays while ops come and go, and reads ftrace_ops_list or
 *	     filters: fill in at most DISPATCH_MAX_WALKERS ranges, return how many.
 *	     Who is in there may hold what retires. NULL: there is none.
 *
 * A set's own block is freed by core, when nobody is in it.
 */
struct dispatch_design {
	const char *name;
	int (*start)(void);
	int (*target)(struct ops_set *set);
	int (*site)(const struct dyn_ftrace *rec, const struct ops_set *set);
	unsigned int (*walkers)(struct address_range *ranges);
};

extern const struct dispatch_design dispatch_set, dispatch_list;

/* One more, of whoever links the runtime; weak: there is none. */
extern const struct dispatch_design dispatch_other __weak;

/* How many sets of `set` found the code pool full and share a trampoline, since boot. */
unsigned long dispatch_set_shared(void);

/* How many could not: they have a direct op beside others. That is -ENOSPC, and nothing changes. */
unsigned long dispatch_set_refused(void);

/* The design in use. */
const struct dispatch_design *dispatch_current(void);

/* The name of design @n, counted from 0; NULL behind the last. */
const char *dispatch_name(unsigned int n);

/* Make the default design ready; once. Return: 0, -ENOSPC or -ERANGE. */
int __must_check dispatch_init(void);

/**
 * dispatch_select() - choose the design, with ops registered or not
 * @name: its name
 *
 * Every hooked site is moved in one patch batch; no call is missed or made
 * twice. Thread context, -EBUSY elsewhere. Return: 0; -EINVAL when there is none
 * of this name; -ENOMEM, -ENOSPC or what text_poke_commit() said, all as before
 * then.
 */
int __must_check dispatch_select(const char *name);

/* Queue what @design changes at a site whose set becomes @set, NULL for none. Return: 0 or -errno. */
int __must_check dispatch_queue_site(const struct dispatch_design *design, struct dyn_ftrace *rec,
				     const struct ops_set *set);

/* Under ftrace_mutex: dispatch_select()'s transaction. */
int __must_check dispatch_switch(const struct dispatch_design *from, const struct dispatch_design *to);

/* The ranges of those of @nr blocks that there are, for quiesce(). Return: how many. */
unsigned int dispatch_block_ranges(struct code_block *const *blocks, unsigned int nr,
				   struct address_range *ranges);

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

/* Call a callback with the assists that its flags ask for; an ftrace_func_t. */
void ops_call_assisted(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		       struct ftrace_regs *fregs);

/* Call any op that is no code of its own; an ftrace_func_t. For walkers. */
void ops_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
	      struct ftrace_regs *fregs);

/* What a trampoline does for an op. */
struct trampoline_call ops_trampoline_call(struct ftrace_ops *op);
void ops_left_out(unsigned long *count);

/**
 * dispatch_own_target() - a target for one set alone
 * @set: target and, when it is generated, block are filled in
 *
 * The op's own code where a site can call it, else a trampoline that calls up to
 * DISPATCH_UNROLLED ops one after the other, in a loop where there are more. Return: 0,
 * -ENOSPC or -ERANGE; the set is as before then.
 */
int __must_check dispatch_own_target(struct ops_set *set);

/* Call all ops of a set that C can call. */
void ops_set_call(const struct ops_set *set, unsigned long ip, unsigned long parent_ip,
		  struct ftrace_regs *fregs);
