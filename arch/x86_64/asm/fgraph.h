// SPDX-License-Identifier: MIT
/*
 * Frames of the function graph on x86-64, and where the shadow pointer is: at
 * %gs:HOST_SHADOW_SP, a displacement that the host's <host_asm.h> gives. One CPU's
 * copy belongs to the thread that runs there. A host without per-CPU data leaves
 * the GS base 0 and names a variable.
 */
#pragma once

#include <host_asm.h>

#define FGRAPH_FRAME_BYTES	64
#define FGRAPH_POINTER_OFFSET	0	/* from a frame to the pointer that stands for it */
#define FGRAPH_RETURN_BYTES	8	/* that a return takes off the stack */

/* Offsets in a frame, for return_to_handler.S. */
#define FRAME_FUNC	0
#define FRAME_RETVAL	16
#define FRAME_RETVAL_HIGH 24
#define FRAME_RET	32
#define FRAME_SP	40

#ifndef __ASSEMBLY__
#include "arch/fgraph_types.h"
#include <asm/ftrace.h>

/*
 * The lowest bits of sp say whose the frame is, so that telling it costs nothing:
 * bit 0 set: several may have it, see users; else bits 1 to 3 are the index of
 * the one user.
 */
struct fgraph_frame {
	struct ftrace_graph_ret graph;
	unsigned long ret;	/* true return address; a planted one after a tail call */
	unsigned long sp;	/* below the save area of the trampoline, and bits */
	unsigned long users;	/* a bit each */
	unsigned long spare;
};

static_assert(sizeof(struct fgraph_frame) == FGRAPH_FRAME_BYTES, "");
static_assert(offsetof(struct fgraph_frame, graph.func) == FRAME_FUNC, "");
static_assert(offsetof(struct fgraph_frame, graph.retval) == FRAME_RETVAL, "");
static_assert(offsetof(struct fgraph_frame, graph.retval_high) == FRAME_RETVAL_HIGH, "");
static_assert(offsetof(struct fgraph_frame, ret) == FRAME_RET, "");
static_assert(offsetof(struct fgraph_frame, sp) == FRAME_SP, "");

/* From sp in the trampoline to the word "parent". */
#define FGRAPH_SAVE_BYTES offsetof(struct x86_partial_regs, parent)
#define FGRAPH_SHARED		1UL
#define FGRAPH_SP_BITS		15UL

/* Not volatile memory: the thread may move between CPUs, and the value with it. */
static inline unsigned long arch_shadow_sp(void)
{
	unsigned long shadow;

	__asm__ volatile("movq %%gs:%c1, %0" : "=r"(shadow) : "i"(HOST_SHADOW_SP));
	return shadow;
}

static inline void arch_set_shadow_sp(unsigned long shadow)
{
	__asm__ volatile("movq %0, %%gs:%c1" : : "r"(shadow), "i"(HOST_SHADOW_SP) : "memory");
}

/* sp of the trampoline that made the frame. */
static inline unsigned long fgraph_frame_raw_sp(const struct fgraph_frame *frame)
{
	return frame->sp & ~FGRAPH_SP_BITS;
}

#define ARCH_FGRAPH_OWN_FRAMES /* see arch/fgraph_frame.h */

static inline bool fgraph_frame_is_shared(const struct fgraph_frame *frame)
{
	return frame->sp & FGRAPH_SHARED;
}

static inline bool fgraph_frame_is_of(const struct fgraph_frame *frame, unsigned int index,
				      unsigned long gops)
{
	if (fgraph_frame_is_shared(frame))
		return frame->users & 1ul << index;
	return (frame->sp & FGRAPH_SP_BITS) >> 1 == index;
}

/* Of user @index for good: it is by number that a frame is anybody's. */
static inline void fgraph_frame_number(struct fgraph_frame *frame, unsigned int index,
				       unsigned long gops)
{
}

/* A frame for several users; @sp as fgraph_frame_sp() shall tell. Depth and retval stay. */
static inline void fgraph_frame_fill(struct fgraph_frame *frame, unsigned long func,
				     unsigned long ret, unsigned long sp)
{
	frame->graph.func = func;
	frame->ret = ret;
	frame->sp = (sp - FGRAPH_SAVE_BYTES) | FGRAPH_SHARED;
	frame->users = 0;
}

#define ARCH_FGRAPH_MENDS	true

/* jmp *FRAME_RET(%rdi): the last instruction of a return path, behind the frame's end. */
#define FGRAPH_JMP_LENGTH	3

/**
 * arch_fgraph_mend() - take an interrupted context out of a window
 * @regs: the context, its pc in a return path
 *
 * The frame was taken down already, and the handler about to run may write over
 * what the jump reads: make the jump for it. At the start of each interrupt and NMI.
 */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
	static const u8 jump[FGRAPH_JMP_LENGTH] = { 0xff, 0x67, FRAME_RET };
	const u8 *at = (const u8 *)regs->ip;

	if (at[0] == jump[0] && at[1] == jump[1] && at[2] == jump[2])
		regs->ip = *(const unsigned long *)(regs->di + FRAME_RET);
}
#endif
