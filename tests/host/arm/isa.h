// SPDX-License-Identifier: MIT
/* What tests/host/arms/insns.c must know of ARM. */
#pragma once

#include "arch/arch.h"

/* 32 MB down, one instruction less up, from the second next instruction. */
#define ISA_LOWEST	(8 - (1L << 25))
#define ISA_HIGHEST	(8 + (1L << 25) - 4)

struct isa_other {
	const char *text;
	void (*encode)(u8 *insn);
	bool swappable;
	bool is_branch;
};

#define ISA_OTHERS { \
	{ "mov r0, r0", arch_insn_nop }, \
	{ ".word 0xe7f001f8", arch_insn_breakpoint }, \
	{ "b .", .is_branch = true }, { "bl . - 4", .is_branch = true }, \
	{ "beq ." }, { "blne ." }, { "bx lr" }, { "blx r0" }, { "blx . + 8" }, { "mov pc, lr" }, \
	{ "push {lr}" }, { "pop {pc}" }, { "ldr pc, [sp], #4" }, { "svc 0" }, { "bkpt 0" }, \
	{ "mcr p15, 0, r0, c7, c5, 1" }, { "swp lr, lr, [sp]" }, \
}

static inline unsigned long isa_link(const struct pt_regs *regs)
{
	return regs->lr;
}
