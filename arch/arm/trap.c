// SPDX-License-Identifier: MIT
/* Breakpoints on ARM: where one was hit, and what the new instruction does. */
#include "arch/arch.h"

#include "a32.h"

/* An undefined instruction is a fault: pc is its own address. */
unsigned long arch_trap_address(const struct pt_regs *regs)
{
	return regs->pc;
}

bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn)
{
	u32 word = a32_word(insn);
	unsigned long next = addr + ARCH_INSN_BYTES;
	unsigned long target = arch_insn_target(insn, addr);

	if (!target) {
		if (word != A32_NOP)
			return false;
		target = next;
	}
	if (a32_is_bl(word))
		regs->lr = next;
	regs->pc = target;
	return true;
}
