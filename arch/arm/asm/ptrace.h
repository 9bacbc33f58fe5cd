// SPDX-License-Identifier: MIT
/*
 * All registers of an interrupted context, as vectors and trampolines save them.
 *
 * The size is a multiple of 8 bytes, so that sp stays aligned below a frame.
 */
#pragma once

#define ARM_CPSR_I	(1 << 7)	/* interrupts masked */

#ifndef __ASSEMBLY__

#include "base/types.h"

struct pt_regs {
	unsigned long r[13];	/* r11: frame pointer where there is one, r12: ip */
	unsigned long sp;
	unsigned long lr;
	unsigned long pc;	/* where the context goes on: for an undefined instruction its own address */
	unsigned long cpsr;	/* of the context, the SPSR of the exception */
	unsigned long pad;
};

#ifdef __arm__
static_assert(sizeof(struct pt_regs) == 72 && sizeof(struct pt_regs) % 8 == 0,
	      "vectors keep sp 8-byte aligned below pt_regs");
#endif

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
	return !(regs->cpsr & ARM_CPSR_I);
}

#endif
