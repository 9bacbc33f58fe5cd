// SPDX-License-Identifier: MIT
/*
 * Shadow stacks: two pages each, of which the one with FGRAPH_STACK_BIT in its
 * address holds the frames:
 *
 *	frame 0		header: graph.func is the allocation
 *	frame 1 ..	depth 0 .. FGRAPH_DEPTH - 1, depth filled in once for all
 *
 * Invariant: a shadow pointer that is not 0 is changed by its own thread only.
 */
#include "core/fgraph_stack.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "core/fgraph.h"
#include "core/standstill.h"

#define MAX_TRIES	8

static bool wanted;		/* somebody was registered once: new threads get stacks */
static bool complete;		/* every thread has one; false when in doubt */
static unsigned int nr_stacks;

/* ---- one stack -------------------------------------------------------------- */

/* Return: its shadow pointer, 0 without memory. */
static unsigned long make_stack(void)
{
	unsigned long memory = (unsigned long)host_alloc(2 * FGRAPH_STACK_BYTES);
	unsigned long shadow = memory & FGRAPH_STACK_BIT ? memory : memory + FGRAPH_STACK_BYTES;
	struct fgraph_frame *frames = (struct fgraph_frame *)shadow;

	if (!memory)
		return 0;
	frames[0].graph.func = memory;
	for (unsigned int i = 1; i <= FGRAPH_DEPTH; i++)
		frames[i].graph.depth = (int)i - 1;
	atomic_inc(&nr_stacks);
	return shadow + FGRAPH_POINTER_OFFSET;
}

static void free_stack(unsigned long shadow)
{
	if (!shadow)
		return;
	host_free((void *)fgraph_frame_at(fgraph_bottom(shadow))->graph.func);
	atomic_fetch_add(&nr_stacks, -1u);
}

void fgraph_thread_create(struct trace_state *state)
{
	state->shadow_sp = READ_ONCE(wanted) ? make_stack() : 0;
	if (!state->shadow_sp)
		fgraph_stack_missing();
}

void fgraph_thread_free(struct trace_state *state)
{
	free_stack(fgraph_settled(state->shadow_sp));
	state->shadow_sp = 0;
}

void fgraph_stack_missing(void)
{
	WRITE_ONCE(complete, false);
}

unsigned int fgraph_stacks_count(void)
{
	return READ_ONCE(nr_stacks);
}

/*
 * A push that finds no room leaves the pointer one frame further until it takes that
 * back, and so does each context that interrupts it there.
 */
unsigned long fgraph_settled(unsigned long shadow)
{
	while (shadow && !fgraph_has_frame(shadow)) {
		if (shadow < FGRAPH_STACK_BYTES)
			return 0;	/* without a stack */
		shadow -= sizeof(struct fgraph_frame);
	}
	return shadow;
}

struct fgraph_frame *fgraph_frames(unsigned long shadow, struct fgraph_frame **end)
{
	unsigned long newest = READ_ONCE(wanted) ? fgraph_settled(shadow) : 0;

	*end = newest ? fgraph_frame_at(newest) + 1 : NULL;
	return newest ? fgraph_frame_at(fgraph_bottom(newest)) + 1 : NULL;
}

/* ---- all of them -------------------------------------------------------------- */

/* What to do with each: a shadow pointer and where to put another one, NULL: in this CPU. */
struct visit {
	struct standstill all;
	void (*fn)(struct visit *visit, unsigned long shadow, struct trace_state *state);
	/* fgraph_stacks_make() */
	unsigned long *fresh;
	unsigned int nr_fresh, used, lacking;
	/* fgraph_stacks_number(), fgraph_stacks_have() */
	unsigned int index;
	unsigned long gops;
	unsigned int found;
};

static struct visit *visit_of(struct standstill *all)
{
	return container_of(all, struct visit, all);
}

static void visit_running(struct standstill *all, const struct pt_regs *regs)
{
	visit_of(all)->fn(visit_of(all), arch_shadow_sp(), NULL);
}

static int visit_suspended(const struct host_context *ctx, void *all)
{
	if (ctx->trace)
		visit_of(all)->fn(visit_of(all), ctx->trace->shadow_sp, ctx->trace);
	return 0;
}

static void visit_all(struct visit *visit)
{
	visit->all = (struct standstill){ .running = visit_running, .suspended = visit_suspended };
	standstill(&visit->all);
}

static void give_stack(struct visit *visit, unsigned long shadow, struct trace_state *state)
{
	unsigned int i;

	/* 0 exactly: a pointer on its way is left to its thread. */
	if (shadow)
		return;
	i = atomic_fetch_add(&visit->used, 1u);
	if (i >= visit->nr_fresh) {
		atomic_inc(&visit->lacking);
		return;
	}
	if (state)
		state->shadow_sp = visit->fresh[i];
	else
		arch_set_shadow_sp(visit->fresh[i]);
}

static int make_fresh(struct visit *visit, unsigned int nr)
{
	visit->nr_fresh = 0;
	visit->used = 0;
	visit->lacking = 0;
	visit->fresh = host_alloc((nr + 1) * sizeof(visit->fresh[0]));
	if (!visit->fresh)
		return -ENOMEM;
	while (visit->nr_fresh < nr) {
		visit->fresh[visit->nr_fresh] = make_stack();
		if (!visit->fresh[visit->nr_fresh])
			break;
		visit->nr_fresh++;
	}
	return visit->nr_fresh == nr ? 0 : -ENOMEM;
}

static void drop_fresh(struct visit *visit)
{
	for (unsigned int i = visit->used; i < visit->nr_fresh; i++)
		free_stack(visit->fresh[i]);
	host_free(visit->fresh);
}

int fgraph_stacks_make(void)
{
	struct visit visit = { .fn = give_stack };
	int err = 0;

	WRITE_ONCE(wanted, true);
	if (READ_ONCE(complete))
		return 0;
	WRITE_ONCE(complete, true);
	for (unsigned int i = 0; i < MAX_TRIES && !err; i++) {
		err = make_fresh(&visit, visit.lacking);
		if (!err)
			visit_all(&visit);
		drop_fresh(&visit);
		if (!err && !visit.lacking)
			return 0;
	}
	fgraph_stack_missing();
	return err;
}

static void look_for_user(struct visit *visit, unsigned long shadow, struct trace_state *state)
{
	fgraph_for_each_frame(frame, shadow) {
		if (visit->gops)
			fgraph_frame_number(frame, visit->index, visit->gops);
		if (fgraph_frame_is_of(frame, visit->index, 0))
			WRITE_ONCE(visit->found, 1u);
	}
}

static bool look_for(unsigned int index, unsigned long gops)
{
	struct visit visit = { .fn = look_for_user, .index = index, .gops = gops };

	visit_all(&visit);
	return visit.found;
}

bool fgraph_stacks_number(unsigned int index, unsigned long gops)
{
	return look_for(index, gops);
}

bool fgraph_stacks_have(unsigned int index)
{
	return look_for(index, 0);
}
