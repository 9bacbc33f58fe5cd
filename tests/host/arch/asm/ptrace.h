// SPDX-License-Identifier: MIT
/* Registers of the recording ISA; a call leaves its return address in `link`. */
#pragma once

struct pt_regs {
	unsigned long pc, sp, link;
};

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
