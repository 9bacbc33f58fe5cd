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
 * @parent_ip: return address into the caller of the function; the one that is planted where a
 *	   function that a graph user hooks has ended by a jump here: fgraph_is_planted() tells
 * @op: the ops it was registered with
 * @fregs: ask it with ftrace_regs_get_argument(), ..._stack_pointer(),
 *	   ..._return_address(); ftrace_get_regs() may be NULL without SAVE_REGS
 *
 * The registers are those of the function right behind its site, as if nothing had been
 * called there. Their pc is where it goes on: behind the site, or what
 * ftrace_regs_set_instruction_pointer() said before they were asked for; it is for
 * reading, as sp is.
 *
 * Runs where the function was called: any context, also NMI. May not sleep, and comes
 * back by returning: a longjmp() out of it leaves the guard of RECURSION set for good, and,
 * where a graph user hooks the callback and is not told, whoever unregisters waiting.
 * Assembly keeps its return address where it came or on the stack.
 * One that calls register or unregister functions, to be told -EBUSY, is compiled with
 * frame pointers (x86-64, arm64) or unwind tables (ARM): without, it is taken for a caller
 * from outside, and waits for itself.
 */
typedef void (*ftrace_func_t)(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *op, struct ftrace_regs *fregs);

#define FTRACE_OPS_FL_SAVE_REGS	(1u << 0)	/* fregs has every register */
#define FTRACE_OPS_FL_RECURSION	(1u << 1)	/* guard: not called from within a guarded op; dropped calls counted */
#define FTRACE_OPS_FL_RCU	(1u << 2)	/* not called while the CPU is not watching; skips counted */
/*
 * The callback tests by itself whether it wants a call (ftrace_ops_test()): `list`
 * leaves out its own test, and may call it at any site that others hook too. `set`
 * calls it at its own sites alone, as ever.
 */
#define FTRACE_OPS_FL_SELF_FILTER (1u << 3)
/*
 * It may change where the function goes on: ftrace_regs_set_instruction_pointer().
 * Called last at its sites. At most one such or direct op at a site: else -EBUSY.
 */
#define FTRACE_OPS_FL_IPMODIFY	(1u << 4)
/*
 * func is the address of a trampoline of the caller's own, entered as if the site had
 * called it, after the other ops of the site. At most one such or IPMODIFY op at a
 * site: else -EBUSY. Alone with this and PERMANENT: anything more is -EINVAL, and so is
 * a func that lies in no sized symbol. It may call the function's body; but a thread
 * that sleeps there is not waited for, so such code has to stay where it is when the op
 * has been unregistered. The return address into the parent is always where it came, in the
 * link register, or on the stack.
 */
#define FTRACE_OPS_FL_DIRECT	(1u << 5)
#define FTRACE_OPS_FL_PERMANENT	(1u << 6)	/* stays: unregistering and new filters are -EBUSY */
/*
 * func is the address of code that keeps every register but those that are dead at a
 * function's entry, see TRAMPOLINE_CALL_LEAF in arch/trampoline.h; a lone one is called by
 * the site itself where all sites reach it. -EINVAL as for DIRECT. x86: may be C, built with
 * no_caller_saved_registers and without arguments. Of its code, as of DIRECT's, just the
 * symbol of func is waited for: not what it jumps to or calls (nor what a compiler makes a
 * symbol of its own, "func.cold"). In there it may have return addresses in any register;
 * what it calls finds them on the stack, what it jumps to there or where they came:
 * arch_leaf_return() may be jumped to. Every wait for an op that leaves is one for leaves, too.
 */
#define FTRACE_OPS_FL_LEAF	(1u << 7)
/*
 * A built-in leaf: no func, it counts its hits, one counter for each CPU; read them by
 * ftrace_ops_hits(). Exact also when an interrupt or an NMI comes in between.
 * -EINVAL with a func or other flags but PERMANENT, -ENOSPC when the host's counters
 * are used up.
 */
#define FTRACE_OPS_FL_COUNT	(1u << 8)
#define FTRACE_OPS_FL_ENABLED	(1u << 16)	/* internal: registered */
#define FTRACE_OPS_FL_LEAVING	(1u << 17)	/* internal: in a change that unregisters it */
#define FTRACE_OPS_FL_GRAPH	(1u << 18)	/* internal: a graph user's, while that is registered */
#define FTRACE_OPS_FL_ASSISTS	(FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU)
#define FTRACE_OPS_FL_ALL	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_ASSISTS) /* what any callback may have */

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
	unsigned long hits;		/* COUNT: of the last registration */
	unsigned long counter;		/* COUNT: its number */
	unsigned int claimed;		/* it is being unregistered, at once or by the queue, or was */
	struct ftrace_ops *next_deferred;
};

/* All registered ops in the order of their calls: an immutable array, replaced as a whole. */
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
 * Return: 0; -EBUSY in a wrong context, in the queue of those put off or permanent;
 * -ENOENT when it is not registered; -EINVAL when it is a graph user's, see
 * unregister_ftrace_graph(); -ENOMEM, -ENOSPC. On an error it is registered as before.
 */
int __must_check unregister_ftrace_function(struct ftrace_ops *ops);

/**
 * register_ftrace_functions() / unregister_ftrace_functions() - many at once
 * @ops: as above; they are called in this order
 * @nr: how many
 *
 * All or none, in one patch batch, in time linear in the ops, the sites they hook and
 * the sizes of the sets there. (One by one, each costs the sizes of the sets of its sites,
 * and some instructions for each ops that there is: the list of them is copied; and with
 * leaves, a look into the symbol table for each leaf that there is.)
 * Return: as above, for the first that is refused; 0 when @nr is 0.
 */
int __must_check register_ftrace_functions(struct ftrace_ops *const *ops, unsigned int nr);
int __must_check unregister_ftrace_functions(struct ftrace_ops *const *ops, unsigned int nr);

/**
 * unregister_ftrace_function_deferred() - unregister an ops from any context
 * @ops: a registered one, also from within its own callback
 *
 * The work is done by baretrace_poll(), later; the ops is called until then. It is over
 * when ftrace_ops_is_registered() says no: only then may the ops be freed.
 *
 * Return: 0; -ENOENT when it is not registered; -EBUSY when it is in the queue
 * already, permanent, or being unregistered (should that fail, who does it is told);
 * -EINVAL when it is NULL or a graph user's. While it is there unregister_ftrace_function() is
 * -EBUSY.
 */
int __must_check unregister_ftrace_function_deferred(struct ftrace_ops *ops);

/* Is it registered? Any context. */
bool ftrace_ops_is_registered(const struct ftrace_ops *ops);

/* Calls of an op with FTRACE_OPS_FL_COUNT: now, or of its last registration; on one CPU. */
unsigned long ftrace_ops_hits(const struct ftrace_ops *op);
unsigned long ftrace_ops_hits_on(const struct ftrace_ops *op, unsigned int cpu);

/**
 * ftrace_set_filter() / ftrace_set_notrace() - choose functions by name
 * @ops: registered or not; the change takes effect at once when it is
 * @pattern: exact name, glob (core/glob.h), or 0x... address
 * @reset: forget the old list first; with @pattern NULL that is all
 *
 * Notrace wins. While the lists of a registered ops change, its calls are those of
 * the old or the new ones; after return it is not running any more for a function
 * that it lost. Each call copies the list, and looks at both lists of a registered ops, at
 * all sets, and at all records where an ops had no filter or has none now: so thousands of
 * names go into an ops that is not registered yet, or by ftrace_set_filter_ips() at once.
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
 * Return: 0, -EINVAL when there is no site, -ENOENT when @remove finds nothing. To
 * remove the last one is -EINVAL, since an empty list means all functions: who wants
 * these resets it, who wants none unregisters.
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

/* Would this ops be called for a site? In its callback, or where its lists do not change meanwhile. */
bool ftrace_ops_test(const struct ftrace_ops *ops, unsigned long ip);

/**
 * ftrace_init() - functions without graph, first design
 *
 * Called by baretrace_init(), when code pool and records are there. Return: 0, -ENOMEM,
 * -ENOSPC or -ERANGE.
 */
int __must_check ftrace_init(void);
