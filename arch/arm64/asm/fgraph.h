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
	unsigned long gops;	/* see arch/fgraph_frame.h */
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

#define ARCH_FGRAPH_MENDS	false

/* The return path has all it needs in registers before it takes its frame down. */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
}
#endif
