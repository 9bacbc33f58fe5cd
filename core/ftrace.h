// SPDX-License-Identifier: MIT
/*
 * Function hooks: register a callback on any number of call sites.
 *
 * All functions here but the callbacks themselves: thread context with
 * interrupts on, -EBUSY elsewhere (also from inside a callback).
 */
#pragma once

#include "base/types.h"
#include "arch/arch.h"
#include "patch/site.h"

struct ftrace_ops;
struct ftrace_hash;

/**
 * typedef ftrace_func_t - a callback
 * @ip: address of the record
 * @parent_ip: return address into the caller of the function
 * @op: the ops it was registered with
 * @fregs: ask it with ftrace_regs_get_argument(), ..._stack_pointer(),
 *	   ..._return_address(); ftrace_get_regs() is NULL without SAVE_REGS
 *
 * Runs where the function was called: any context, also NMI. May not sleep.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

#define FTRACE_OPS_FL_SAVE_REGS	(1u << 0)	/* fregs has every register */
#define FTRACE_OPS_FL_RECURSION	(1u << 1)	/* guard: not called from within a guarded op; dropped calls counted */
#define FTRACE_OPS_FL_RCU	(1u << 2)	/* not called while the CPU is not watching; skips counted */
#define FTRACE_OPS_FL_ENABLED	(1u << 16)	/* internal: registered */
#define FTRACE_OPS_FL_ASSISTS	(FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU)
#define FTRACE_OPS_FL_ALL	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_ASSISTS)

struct ftrace_ops {
	ftrace_func_t func;
	unsigned int flags;		/* FTRACE_OPS_FL_*, set before registering */
	const char *name;		/* for reports; may be NULL */
	void *private;			/* the callback's own */
	/* Below: core's. Zero before first use. */
	unsigned long recursed;		/* calls dropped by the guard */
	unsigned long not_watching;	/* calls dropped by RCU */
	struct ftrace_hash *filter;	/* NULL or empty: all */
	struct ftrace_hash *excluded;	/* NULL or empty: none */
	unsigned long order;		/* of registration */
};

/* All registered ops in order of registration: an immutable array, replaced as a whole. */
struct ftrace_ops_list {
	unsigned int nr;
	struct ftrace_ops *ops[];
};

/* NULL while nothing is registered. For walkers: read it with smp_load_acquire(), once. */
extern struct ftrace_ops_list *ftrace_ops_list;

/**
 * register_ftrace_function() - start calling an ops
 * @ops: func and flags set, filters as wanted; stays with core until unregistered
 *
 * After return every call of a hooked function calls the ops.
 *
 * Return: 0; -EBUSY when it is registered already or the context is wrong;
 * -EINVAL without func or with unknown flags; -ENOMEM, -ENOSPC; or what
 * text_poke_commit() said. On an error nothing has changed.
 */
int __must_check register_ftrace_function(struct ftrace_ops *ops);

/**
 * unregister_ftrace_function() - stop calling an ops
 * @ops: a registered one
 *
 * After return nobody is in the ops, its data or its trampoline: all may be freed.
 *
 * Return: 0; -EBUSY in a wrong context; -ENOENT when it is not registered.
 */
int __must_check unregister_ftrace_function(struct ftrace_ops *ops);

/**
 * ftrace_set_filter() / ftrace_set_notrace() - choose functions by name
 * @ops: registered or not; the change takes effect at once when it is
 * @pattern: exact name, glob (core/glob.h), or 0x... address
 * @reset: forget the old list first; with @pattern NULL that is all
 *
 * Notrace wins. While the lists of a registered ops change, its calls are those of
 * the old or the new ones; after return it is not running any more for a function
 * that it lost.
 *
 * Return: number of functions the pattern took; -EINVAL when an
 * exact name is not traceable (it is named) or the pattern is malformed;
 * -ENOENT when nothing matches; -ENOMEM. On any error the old filter stays.
 */
int __must_check ftrace_set_filter(struct ftrace_ops *ops, const char *pattern, bool reset);
int __must_check ftrace_set_notrace(struct ftrace_ops *ops, const char *pattern, bool reset);

/**
 * ftrace_set_filter_ip() - choose one function by address
 * @ops: as above
 * @ip: function or site address
 * @remove: take it off the list instead
 * @reset: forget the old list first
 *
 * Return: 0, -EINVAL when there is no site, -ENOENT when @remove finds nothing.
 */
int __must_check ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip,
				      bool remove, bool reset);

/**
 * ftrace_set_filter_ips() - choose many functions by address, all or none
 * @ops: as above
 * @ips: function or site addresses
 * @nr: how many, > 0
 * @reset: forget the old list first
 *
 * Takes time linear in @nr. Return: 0, -EINVAL when one has no traceable site,
 * -ENOMEM; on an error the old filter stays.
 */
int __must_check ftrace_set_filter_ips(struct ftrace_ops *ops, const unsigned long *ips,
				       unsigned int nr, bool reset);

/* Forget both lists of an unregistered ops and free their memory. */
void ftrace_free_filter(struct ftrace_ops *ops);

/* Would this ops be called for a site? Any context. */
bool ftrace_ops_test(const struct ftrace_ops *ops, unsigned long ip);

/**
 * ftrace_init() - call-site records, code pool, first design
 *
 * Called by baretrace_init(). Return: 0, -ENOMEM, -ENOSPC or -ERANGE.
 */
int __must_check ftrace_init(void);
