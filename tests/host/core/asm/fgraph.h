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
#define FGRAPH_SAVE_BYTES 0
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

/* Behind the first instruction of a stub, r[0] is the frame that the last one reads. */
static inline void arch_fgraph_mend(struct pt_regs *regs)
{
	regs->pc = ((const struct fgraph_frame *)regs->r[0])->ret;
}
