// SPDX-License-Identifier: MIT
/*
 * Whose a frame of the function graph is. Mostly its word gops tells: the object of the one
 * user while that is registered, only to be compared; 0 where several may have the frame,
 * see its word users. A port that tells it otherwise defines ARCH_FGRAPH_OWN_FRAMES and has
 * the functions below in its <asm/fgraph.h>.
 */
#pragma once

#include <asm/fgraph.h>

/* ftrace_regs_get_stack_pointer() of the call. */
static inline unsigned long fgraph_frame_sp(const struct fgraph_frame *frame)
{
	return fgraph_frame_raw_sp(frame) + FGRAPH_SAVE_BYTES;
}

#ifndef ARCH_FGRAPH_OWN_FRAMES

/* May several users have it? */
static inline bool fgraph_frame_is_shared(const struct fgraph_frame *frame)
{
	return !frame->gops;
}

/* Is it that of user @index, whose object is @gops? */
static inline bool fgraph_frame_is_of(const struct fgraph_frame *frame, unsigned int index, unsigned long gops)
{
	return fgraph_frame_is_shared(frame) ? frame->users & 1ul << index : frame->gops == gops;
}

/* Of user @index for good: its object @gops may come back under another number. */
static inline void fgraph_frame_number(struct fgraph_frame *frame, unsigned int index, unsigned long gops)
{
	if (frame->gops == gops) {
		frame->gops = 0;
		frame->users = 1ul << index;
	}
}

/* A frame for several users; @sp as fgraph_frame_sp() shall tell. Depth and retval stay. */
static inline void fgraph_frame_fill(struct fgraph_frame *frame, unsigned long func, unsigned long ret,
				     unsigned long sp)
{
	frame->graph.func = func;
	frame->ret = ret;
	frame->sp = sp - FGRAPH_SAVE_BYTES;
	frame->gops = 0;
	frame->users = 0;
}

#endif
