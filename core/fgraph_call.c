// SPDX-License-Identifier: MIT
/*
 * What the function graph does for a call beyond a single user's generated code:
 * several users at a site, other ops there too, no room, tail recursion.
 *
 * Users at one call share its frame, planted is return_to_handler. Nothing here
 * sleeps or locks; only the thread itself changes its stack. The order is that of
 * the generated code: the pointer moves before the frame is written and after the
 * last read; and a frame is written once before its pointer moves too, so that who
 * looks in between finds it whole.
 */
#include "base/atomic.h"
#include "base/host.h"
#include "core/context.h"
#include "core/fgraph_stack.h"
#include "core/fgraph_users.h"

#define FRAME	sizeof(struct fgraph_frame)

struct fgraph_stats fgraph_counts;

int fgraph_entry_default(struct ftrace_graph_ent *ent)
{
	return 1;
}

/* The newest frame; NULL: none. */
static struct fgraph_frame *newest(unsigned long shadow)
{
	if (!fgraph_has_frame(shadow) || shadow == fgraph_bottom(shadow))
		return NULL;
	return fgraph_frame_at(shadow);
}

/* Of this context alone: an interrupt has none before its first call, whatever it found. */
static struct fgraph_frame *own(unsigned long shadow)
{
	return shadow == READ_ONCE(host_trace_state()->shadow_floor) ? NULL : newest(shadow);
}

static void pop(void)
{
	arch_set_shadow_sp(arch_shadow_sp() - FRAME);
}

static unsigned int drop_below(unsigned long sp)
{
	unsigned int n = 0;
	struct fgraph_frame *frame;

	while ((frame = own(arch_shadow_sp())) && fgraph_frame_sp(frame) < sp) {
		pop();
		n++;
	}
	if (n)
		atomic_fetch_add(&fgraph_counts.abandoned, n);
	return n;
}

/* What was called with the stack pointer at @sp is left too. */
unsigned int fgraph_unwind_to(unsigned long sp)
{
	return drop_below(sp - FGRAPH_RETURN_BYTES + 1);
}

/* ---- returns ---------------------------------------------------------------- */

static void call_return(struct fgraph_ops *gops, struct fgraph_frame *frame)
{
	struct trace_state *state = host_trace_state();
	bool guarded = gops->ops.flags & FTRACE_OPS_FL_RECURSION;

	/* Its entry was outside of every handler, and so is this: the guard is free. */
	if (guarded && !recursion_enter(state, RECURSION_OPS)) {
		atomic_inc(&gops->ops.recursed);
		return;
	}
	gops->retfunc(&frame->graph, gops);
	if (guarded)
		recursion_exit(state, RECURSION_OPS);
}

/*
 * All users of a frame that are still there, the highest number first. A function of its own, that
 * every handler called from here returns to: who goes waits until nobody is in it.
 */
noinline void fgraph_call_returns(struct fgraph_frame *frame)
{
	for (unsigned int i = FGRAPH_MAX_USERS; i--; ) {
		struct fgraph_ops *gops = READ_ONCE(fgraph_users[i].gops);

		if (gops && gops->retfunc && fgraph_frame_is_of(frame, i, (unsigned long)gops))
			call_return(gops, frame);
	}
}

void fgraph_return(unsigned long sp)
{
	struct fgraph_frame *frame = newest(arch_shadow_sp());
	unsigned long retval = frame->graph.retval, retval_high = frame->graph.retval_high;

	/* Read before: what is dropped is the next interrupt's. */
	if (drop_below(sp)) {
		frame = newest(arch_shadow_sp());
		frame->graph.retval = retval;
		frame->graph.retval_high = retval_high;
	}
	fgraph_call_returns(frame);
}

/* ---- room --------------------------------------------------------------------- */

/*
 * The functions of a chain of tail calls have ended, all but the one that comes now: close
 * all frames but the oldest, which has the true caller; what is planted for that becomes
 * our caller's. Frames that were left behind, chains too, may lie below that and in between.
 */
static bool close_chain(unsigned long sp, unsigned long *parent_slot)
{
	struct fgraph_frame *frame;
	unsigned int n = 0;

	while ((frame = own(arch_shadow_sp())) && fgraph_is_planted(frame->ret)) {
		*parent_slot = frame->ret;
		frame->graph.retval = 0;
		frame->graph.retval_high = 0;
		fgraph_call_returns(frame);
		pop();
		atomic_inc(&fgraph_counts.closed_early);
		drop_below(sp);
		n++;
	}
	return n;
}

/*
 * Called for @op, whose guard is held around its entry handler. Handlers of returns run
 * here that are not within it: their entries were outside of every handler.
 */
static bool close_chain_for(const struct ftrace_ops *op, unsigned long sp, unsigned long *parent_slot)
{
	struct trace_state *state = host_trace_state();
	bool guarded = op->flags & FTRACE_OPS_FL_RECURSION, closed;

	if (guarded)
		recursion_exit(state, RECURSION_OPS);
	closed = close_chain(sp, parent_slot);
	if (guarded)
		recursion_enter(state, RECURSION_OPS);
	return closed;
}

/* Return: where the next frame's pointer is, 0 when there can be none. */
static unsigned long find_room(const struct ftrace_ops *op, unsigned long sp, unsigned long *parent_slot)
{
	unsigned long shadow = arch_shadow_sp();
	bool tail;

	if (!fgraph_has_frame(shadow)) {
		/* No stack; or we interrupted a push that is about to find none, or no room. */
		if (fgraph_settled(shadow)) {
			atomic_inc(&fgraph_counts.overflow);
		} else {
			atomic_inc(&fgraph_counts.no_stack);
			fgraph_stack_missing();
		}
		return 0;
	}
	if (fgraph_has_frame(shadow + FRAME))
		return shadow + FRAME;
	/* A call that is no tail call has its stack pointer for itself. */
	tail = fgraph_is_planted(*parent_slot);
	if (drop_below(tail ? sp : sp + 1) || (tail && close_chain_for(op, sp, parent_slot)))
		return arch_shadow_sp() + FRAME;
	atomic_inc(&fgraph_counts.overflow);
	return 0;
}

/* ---- entries ------------------------------------------------------------------ */

/*
 * With interrupts off: when one ends the scheduler acts for this thread, and must not
 * meet a frame that may have anything in it. NMIs end without, and leave it alone.
 */
static struct fgraph_frame *push(unsigned long shadow, unsigned long ip, unsigned long parent_ip,
				 unsigned long sp)
{
	struct fgraph_frame *frame = fgraph_frame_at(shadow);
	unsigned long flags = host_irq_save();

	fgraph_frame_fill(frame, ip, parent_ip, sp);
	arch_set_shadow_sp(shadow);
	/* An NMI before that may have had a frame there. */
	fgraph_frame_fill(frame, ip, parent_ip, sp);
	host_irq_restore(flags);
	return frame;
}

static bool wants_return(struct fgraph_ops *gops, struct fgraph_frame *frame, struct ftrace_regs *fregs)
{
	struct ftrace_graph_ent *ent = (struct ftrace_graph_ent *)&frame->graph;
	bool wanted = !gops->entryfunc || gops->entryfunc(ent, gops, fregs);

	return wanted && gops->retfunc;
}

/* Another user has made this call's frame. */
static struct fgraph_frame *shared_frame(unsigned long ip, unsigned long sp,
					 const unsigned long *parent_slot, unsigned int index)
{
	struct fgraph_frame *frame = newest(arch_shadow_sp());

	if (!frame || *parent_slot != (unsigned long)return_to_handler ||
	    frame->graph.func != ip || fgraph_frame_sp(frame) != sp ||
	    !fgraph_frame_is_shared(frame) || frame->users & 1ul << index)
		return NULL;
	return frame;
}

void fgraph_enter(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = container_of(op, struct fgraph_ops, ops);
	unsigned long sp = ftrace_regs_get_stack_pointer(fregs);
	unsigned long *parent_slot = ftrace_regs_parent_slot(fregs);
	struct fgraph_frame *frame;
	unsigned long shadow;

	if (fgraph_never(ip))
		return;
	frame = shared_frame(ip, sp, parent_slot, gops->index);
	if (frame) {
		if (wants_return(gops, frame, fregs))
			frame->users |= 1ul << gops->index;
		return;
	}
	shadow = find_room(op, sp, parent_slot);
	if (!shadow)
		return;
	frame = push(shadow, ip, *parent_slot, sp);
	if (!wants_return(gops, frame, fregs)) {
		pop();
		return;
	}
	frame->users = 1ul << gops->index;
	*parent_slot = (unsigned long)return_to_handler;
}

/* ---- for backtraces ------------------------------------------------------------- */

void fgraph_cursor_start(struct fgraph_cursor *cursor)
{
	cursor->shadow = fgraph_settled(arch_shadow_sp());
}

void fgraph_cursor_skip(struct fgraph_cursor *cursor)
{
	if (newest(cursor->shadow))
		cursor->shadow -= FRAME;
}

const struct fgraph_frame *fgraph_cursor_find(struct fgraph_cursor *cursor, unsigned long sp)
{
	const struct fgraph_frame *frame;

	while ((frame = newest(cursor->shadow)) && fgraph_frame_sp(frame) < sp)
		cursor->shadow -= FRAME;
	return frame;
}

void fgraph_cursor_drop(struct fgraph_cursor *cursor, unsigned long sp)
{
	const struct fgraph_frame *frame;

	while ((frame = newest(cursor->shadow)) && fgraph_frame_sp(frame) <= sp)
		cursor->shadow -= FRAME;
}

unsigned long fgraph_cursor_caller(struct fgraph_cursor *cursor, unsigned long sp)
{
	const struct fgraph_frame *frame;

	do {
		frame = fgraph_cursor_find(cursor, sp);
		fgraph_cursor_skip(cursor);
	} while (frame && fgraph_is_planted(frame->ret));
	return frame ? frame->ret : 0;
}
