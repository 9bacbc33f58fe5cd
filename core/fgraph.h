// SPDX-License-Identifier: MIT
/*
 * Function graph: handlers at a function's entry and at its return.
 *
 * A user is a struct fgraph_ops. Its filters are those of its member ops, as for
 * any ops: ftrace_set_filter(&gops->ops, ...), before or while it is registered.
 * A function is hooked for a user when that user's own filter says so; users do not
 * widen or narrow each other's. A filter decides about entries: a call whose entry was
 * seen has its return, also when the function has been taken off the filter meanwhile.
 *
 * A return can be seen where the entry was. It is not when
 *   - the entry handler answered 0;
 *   - the thread has no shadow stack (yet): memory was short (counted: no_stack);
 *   - FGRAPH_DEPTH calls (63; on ARMv5 127) are hooked already in this thread (counted: overflow);
 *     entry handlers are not called then either. This and no_stack count once for each user;
 *   - the user went away meanwhile: the call returns, and nobody is told;
 *   - somebody unwound the stack past it (counted: abandoned), see fgraph_unwind_to().
 *
 * Tail calls. Where f ends by jumping to g, g finds the planted address of f's
 * frame as its caller. Its frame lies on top of f's, and when g returns both close,
 * g first. Where a chain of them would fill the stack (tail recursion), those that
 * have ended close early, newest first, with ftrace_graph_ret.retval 0 (counted:
 * closed_early): every entry has its return and the depth stays bounded.
 */
#pragma once

#include "arch/fgraph.h"
#include "base/host.h"
#include "core/ftrace.h"

struct fgraph_ops;

/**
 * typedef trace_func_graph_ent_t - a call begins
 * @trace: function and depth, in the frame itself: for reading
 * @gops: the user
 * @fregs: arguments, stack pointer, return address
 *
 * Any context, NMI too; may not sleep. A handler that is traceable itself, or whose
 * user has FTRACE_OPS_FL_RECURSION in its ops.flags, is not called again from
 * within a handler (dropped calls count in ops.recursed). FTRACE_OPS_FL_RCU is about entries:
 * a return is called where its entry was.
 *
 * Return: 0 when the return is of no interest, else call the return handler.
 */
typedef int (*trace_func_graph_ent_t)(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				      struct ftrace_regs *fregs);

/*
 * It returns: @trace has what the function returns in its first two result registers, for
 * reading. Of several users the one with the highest number comes first: numbers are given
 * out as they get free.
 */
typedef void (*trace_func_graph_ret_t)(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);

struct fgraph_ops {
	trace_func_graph_ent_t entryfunc;	/* NULL: returns alone */
	trace_func_graph_ret_t retfunc;		/* NULL: entries alone */
	struct ftrace_ops ops;			/* filters; flags: assists, PERMANENT; name */
	void *private;				/* the handlers' own */
	unsigned int index;			/* core's */
};

/**
 * register_ftrace_graph() - start calling a user's handlers
 * @gops: zero but for the handlers, private, and ops' filters, flags and name
 *
 * Threads that exist get their shadow stacks now, others when they are made.
 * At most FGRAPH_MAX_USERS at once, those counted that left frames behind. Handlers that
 * are traceable get FTRACE_OPS_FL_RECURSION while they are registered.
 *
 * Return: 0; -EOPNOTSUPP when this flavour of call sites cannot; -EINVAL without
 * any handler or with other flags than assists and PERMANENT; -ENOSPC when there are too
 * many users; or as register_ftrace_function().
 */
int __must_check register_ftrace_graph(struct fgraph_ops *gops);

/**
 * unregister_ftrace_graph() - stop calling them
 * @gops: a registered user
 *
 * After return no handler of it runs or will: all may be freed. It does not wait
 * for the functions that are still to return. Return: as unregister_ftrace_function();
 * on an error it is registered as before, returns are still seen.
 */
int __must_check unregister_ftrace_graph(struct fgraph_ops *gops);

/**
 * unregister_ftrace_graph_deferred() - unregister a user from any context
 * @gops: a registered user, also from within its own handlers
 *
 * As unregister_ftrace_function_deferred(): it is over when
 * ftrace_ops_is_registered(&gops->ops) says no.
 */
int __must_check unregister_ftrace_graph_deferred(struct fgraph_ops *gops);

/**
 * fgraph_unwind_to() - the stack is about to be cut
 * @sp: stack pointer as it will be, inside the function that goes on
 *
 * Whoever leaves functions without letting them return (longjmp, an exception)
 * calls it first, in the thread and context it is about. Return: frames dropped.
 */
unsigned int fgraph_unwind_to(unsigned long sp);

/*
 * The host's: each new thread's state, zeroed, before it runs; and when the thread
 * is over or was never to run. Thread context. Idle threads are threads.
 */
void fgraph_thread_create(struct trace_state *state);
void fgraph_thread_free(struct trace_state *state);

/* A function's site never belongs to a graph user: its return is not made by returning. */
#define NOGRAPH_FUNCTION(fn) \
	static const unsigned long nograph_entry_##fn \
		__used __section("nograph_functions") = (unsigned long)(fn)

struct fgraph_stats {
	unsigned long overflow;
	unsigned long no_stack;
	unsigned long abandoned;
	unsigned long closed_early;
	unsigned int stacks;		/* in use */
	unsigned int users;		/* registered */
	unsigned int leaving;		/* gone, with frames outstanding */
};
void fgraph_stats(struct fgraph_stats *stats);

/* ---- for core ------------------------------------------------------------- */

/* Is this block of calls one graph user alone, which has a trampoline of its own kind? */
bool fgraph_is_alone(const struct trampoline_spec *spec);

/* As arch_trampoline_generate(), for a spec that is. */
int fgraph_generate(const struct trampoline_spec *spec, unsigned long at, u8 *code, size_t room,
		    struct trampoline_frame *frame);

/* Once, when the records are there: sites of NOGRAPH_FUNCTION()s. Return: 0 or -ENOMEM. */
int __must_check fgraph_init(void);

/*
 * What an interrupt does for the shadow stack of the context that it found, and what
 * it takes back. In baretrace_irq_enter() and _exit().
 */
struct baretrace_irq;
void fgraph_irq_enter(struct pt_regs *regs, struct baretrace_irq *save);
void fgraph_irq_exit(const struct baretrace_irq *save);

/* ---- for backtraces ------------------------------------------------------- */

/* Does an address lead to a return handler instead of a caller, or lie in one's code? */
bool fgraph_is_planted(unsigned long pc);
bool fgraph_in_return_code(unsigned long pc);

/* A look at this thread's frames, newest first, that changes nothing. */
struct fgraph_cursor {
	unsigned long shadow;
};
void fgraph_cursor_start(struct fgraph_cursor *cursor);

/* The newest frame left of a call whose stack pointer was @sp or above; NULL: none. It stays. */
const struct fgraph_frame *fgraph_cursor_find(struct fgraph_cursor *cursor, unsigned long sp);

/* The true caller behind a planted address that @sp's function returned to; 0: unknown. */
unsigned long fgraph_cursor_caller(struct fgraph_cursor *cursor, unsigned long sp);

/* Step over one frame; over those of calls whose stack pointer was @sp or below. */
void fgraph_cursor_skip(struct fgraph_cursor *cursor);
void fgraph_cursor_drop(struct fgraph_cursor *cursor, unsigned long sp);

/* Is this thread, at @offset of a trampoline, between taking its newest frame and writing it? */
static inline bool fgraph_is_half_made(const struct trampoline_frame *desc, unsigned int offset)
{
	return offset >= desc->graph_write && offset < desc->graph_commit &&
	       fgraph_has_frame(arch_shadow_sp());
}
