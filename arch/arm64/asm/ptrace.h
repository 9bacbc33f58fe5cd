// SPDX-License-Identifier: MIT
/*
 * All registers of an interrupted context, as vectors and trampolines save them.
 *
 * The size is a multiple of 16 bytes, so that sp stays aligned below a frame.
 */
#pragma once

#define ARM64_PSTATE_I	(1 << 7)	/* interrupts masked */

#ifndef __ASSEMBLY__

#include "base/types.h"

struct pt_regs {
	unsigned long x[31];	/* x29: frame pointer, x30: return address */
	unsigned long sp;
	unsigned long pc;	/* where the context goes on: for BRK its own address */
	unsigned long pstate;	/* SPSR_EL1; only NZCV when a trampoline saved it */
};

static_assert(sizeof(struct pt_regs) == 272 && sizeof(struct pt_regs) % 16 == 0,
	      "vectors keep sp 16-byte aligned below pt_regs");

static inline unsigned long regs_pc(const struct pt_regs *regs)
{
	return regs->pc;
}

static inline unsigned long regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static inline void regs_set_pc(struct pt_regs *regs, unsigned long pc)
{
	regs->pc = pc;
}

/* The context's interrupts were on. */
static inline bool regs_irqs_on(const struct pt_regs *regs)
{
	return !(regs->pstate & ARM64_PSTATE_I);
}

#endif
