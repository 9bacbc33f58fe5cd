// SPDX-License-Identifier: MIT
/*
 * Frames of the function graph on arm64. The shadow pointer of the running thread
 * is in TPIDR_EL0: nothing runs at EL0, and no thread-local storage is used.
 */
#pragma once

#define FGRAPH_FRAME_BYTES	64
#define FGRAPH_POINTER_OFFSET	0	/* from a frame to the pointer that stands for it */
#define FGRAPH_RETURN_BYTES	0	/* that a return takes off the stack */

/* Offsets in a frame, for return_to_handler.S. */
#define FRAME_RET	0
#define FRAME_GRAPH	8
#define FRAME_RETVAL	24
#define FRAME_SP	40

#ifndef __ASSEMBLY__
#include "arch/fgraph_types.h"
#include <asm/ftrace.h>

/* In the order in which two stp and one post-indexed ldr want it. */
struct fgraph_frame {
	unsigned long ret;	/* true return address; a planted one after a tail call */
	struct ftrace_graph_ret graph;
	unsigned long sp;	/* of the trampoline that made it */
	unsigned long gops;	/* of the one user while it is registered, only to be compared; 0: see users */
	unsigned long users;	/* a bit each */
};

static_assert(sizeof(struct fgraph_frame) == FGRAPH_FRAME_BYTES, "");
static_assert(offsetof(struct fgraph_frame, ret) == FRAME_RET, "");
static_assert(offsetof(struct fgraph_frame, graph) == FRAME_GRAPH, "");
static_assert(offsetof(struct fgraph_frame, graph.retval) == FRAME_RETVAL, "");
static_assert(offsetof(struct fgraph_frame, sp) == FRAME_SP, "");

#define FGRAPH_SAVE_BYTES	sizeof(struct arm64_partial_regs)

static inline unsigned long arch_shadow_sp(void)
{
	unsigned long shadow;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(shadow) : : "memory");
	return shadow;
}

static inline void arch_set_shadow_sp(unsigned long shadow)
{
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(shadow) : "memory");
}

static inline unsigned long fgraph_frame_raw_sp(const struct fgraph_frame *frame)
{
	return frame->sp;
}

/* ftrace_regs_get_stack_pointer() of the call. */
static inline unsigned long fgraph_frame_sp(const struct fgraph_frame *frame)
{
	return frame->sp + FGRAPH_SAVE_BYTES;
}

static inline bool fgraph_frame_is_shared(const struct fgraph_frame *frame)
{
	return !frame->gops;
}

static inline bool fgraph_frame_is_of(const struct fgraph_frame *frame, unsigned int index,
				      unsigned long gops)
{
	return fgraph_frame_is_shared(frame) ? frame->users & 1ul << index : frame->gops == gops;
}

/* Of user @index for good: its object @gops may come back under another number. */
static inline void fgraph_frame_number(struct fgraph_frame *frame, unsigned int index,
				       unsigned long gops)
{
	if (frame->gops == gops) {
		frame->gops = 0;
		frame->users = 1ul << index;
	}
}

/* A frame for several users; @sp as fgraph_frame_sp() shall tell. Depth and retval stay. */
static inline void fgraph_frame_fill(struct fgraph_frame *frame, unsigned long func,
				     unsigned long ret, unsigned long sp)
{
	frame->graph.func = func;
	frame->ret = ret;
	frame->sp = sp - FGRAPH_SAVE_BYTES;
	frame->gops = 0;
	frame->users = 0;
}

#define ARCH_FGRAPH_MENDS	false

/* The return path has all it needs in registers before it takes its frame down. */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
}
#endif
