// SPDX-License-Identifier: MIT
/*
 * All registers of an interrupted context, in the order in which entry code
 * and SAVE_REGS trampolines lay them on the stack (lowest address first).
 */
#pragma once

#include "base/types.h"

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11;
	unsigned long r10, r9, r8, ax, cx, dx, si, di;
	unsigned long vector;	/* entry code's; a trampoline keeps flags here, see asm/ftrace.h */
	unsigned long error;
	unsigned long ip, cs, flags, sp, ss;	/* as the CPU pushes them */
};

/* Selectors of the one code and the one data segment. */
#define X86_KERNEL_CS	0x08
#define X86_KERNEL_SS	0x10

#define X86_FLAGS_IF	(1UL << 9)
#define X86_FLAGS_DF	(1UL << 10)

static inline unsigned long regs_pc(const struct pt_regs *regs)
{
	return regs->ip;
}

static inline unsigned long regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static inline void regs_set_pc(struct pt_regs *regs, unsigned long pc)
{
	regs->ip = pc;
}

/* The context's interrupts were on. */
static inline bool regs_irqs_on(const struct pt_regs *regs)
{
	return regs->flags & X86_FLAGS_IF;
}
