// SPDX-License-Identifier: MIT
/* Breakpoints on arm64: where one was hit, and what the new instruction does. */
#include "arch/arch.h"

#include "a64.h"

/* BRK is a fault: pc is its own address. */
unsigned long arch_trap_address(const struct pt_regs *regs)
{
	return regs->pc;
}

bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn)
{
	u32 word = a64_word(insn);
	unsigned long next = addr + ARCH_INSN_BYTES;
	unsigned long target = arch_insn_target(insn, addr);

	if (!target) {
		if (word != A64_NOP)
			return false;
		target = next;
	}
	if (a64_is_bl(word))
		regs->x[30] = next;
	regs->pc = target;
	return true;
}
