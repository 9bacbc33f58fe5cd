// SPDX-License-Identifier: MIT
/* Registers of a pretended interrupted context. */
#pragma once

struct pt_regs {
	unsigned long r[4];	/* r[3]: link register */
	unsigned long pc, sp;
};

static inline unsigned long regs_pc(const struct pt_regs *regs)
{
	return regs->pc;
}

static inline unsigned long regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}
