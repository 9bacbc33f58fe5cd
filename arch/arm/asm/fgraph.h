// SPDX-License-Identifier: MIT
/*
 * Frames of the function graph on ARMv5. The shadow pointer of the running thread
 * is in the variable arm_shadow_sp: there is one CPU.
 */
#pragma once

#define FGRAPH_FRAME_BYTES	32
#define FGRAPH_POINTER_OFFSET	16	/* from a frame to the pointer that stands for it */
#define FGRAPH_RETURN_BYTES	0	/* that a return takes off the stack */

/* Offsets from that pointer, for return_to_handler.S. */
#define POINTER_RET	(-4)
#define POINTER_RETVAL	8

#ifndef __ASSEMBLY__
#include "arch/fgraph_types.h"
#include <asm/ftrace.h>

/* gops to graph.func are one stmda with the pointer, retval is where strd reaches it. */
struct fgraph_frame {
	unsigned long users;	/* a bit each */
	unsigned long gops;	/* see arch/fgraph_frame.h */
	unsigned long sp;	/* of the trampoline that made it, and bits */
	unsigned long ret;	/* true return address; a planted one after a tail call */
	struct ftrace_graph_ret graph;
};

static_assert(sizeof(struct fgraph_frame) == FGRAPH_FRAME_BYTES, "");
static_assert(offsetof(struct fgraph_frame, graph) == FGRAPH_POINTER_OFFSET, "");
static_assert(offsetof(struct fgraph_frame, ret) == FGRAPH_POINTER_OFFSET + POINTER_RET, "");
static_assert(offsetof(struct fgraph_frame, graph.retval) == FGRAPH_POINTER_OFFSET + POINTER_RETVAL, "");

#define FGRAPH_SAVE_BYTES	sizeof(struct arm_partial_regs)
#define FGRAPH_SP_BITS		7UL

extern unsigned long arm_shadow_sp;

static inline unsigned long arch_shadow_sp(void)
{
	return READ_ONCE(arm_shadow_sp);
}

static inline void arch_set_shadow_sp(unsigned long shadow)
{
	barrier();
	WRITE_ONCE(arm_shadow_sp, shadow);
	barrier();
}

static inline unsigned long fgraph_frame_raw_sp(const struct fgraph_frame *frame)
{
	return frame->sp & ~FGRAPH_SP_BITS;
}

#define ARCH_FGRAPH_MENDS	false

/* The return path has all it needs in registers before it takes its frame down. */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
}
#endif
