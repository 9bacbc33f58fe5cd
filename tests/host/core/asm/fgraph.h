// SPDX-License-Identifier: MIT
/*
 * Frames of the function graph in core's host tests: the shadow pointer is each CPU's own
 * variable. As on x86-64, the return path reads its frame when that is down already.
 */
#pragma once

#include "arch/fgraph_types.h"
#include <asm/ftrace.h>

#define FGRAPH_POINTER_OFFSET	0
#define FGRAPH_RETURN_BYTES	0
#define ARCH_FGRAPH_MENDS	true

struct fgraph_frame {
	struct ftrace_graph_ret graph;
	unsigned long ret, sp, gops, users;
};

extern __thread unsigned long fake_shadow;

/* An interrupt may come before and after each move of it; may be NULL. */
extern void (*fake_interrupt)(void);

static inline unsigned long arch_shadow_sp(void)
{
	return fake_shadow;
}

static inline void arch_set_shadow_sp(unsigned long shadow)
{
	if (fake_interrupt)
		fake_interrupt();
	fake_shadow = shadow;
	if (fake_interrupt)
		fake_interrupt();
}

static inline unsigned long fgraph_frame_raw_sp(const struct fgraph_frame *frame)
{
	return frame->sp;
}

static inline unsigned long fgraph_frame_sp(const struct fgraph_frame *frame)
{
	return frame->sp;
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

static inline void fgraph_frame_fill(struct fgraph_frame *frame, unsigned long func,
				     unsigned long ret, unsigned long sp)
{
	frame->graph.func = func;
	frame->ret = ret;
	frame->sp = sp;
	frame->gops = 0;
	frame->users = 0;
}

/* Behind the first instruction of a stub, r[0] is the frame that the last one reads. */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
	regs->pc = ((const struct fgraph_frame *)regs->r[0])->ret;
}
