// SPDX-License-Identifier: MIT
/* Breakpoints on x86-64: where one was hit, and what the new instruction does. */
#include "arch/arch.h"

#include "base/string.h"

/* int3 is a trap: ip is behind it. */
unsigned long arch_trap_address(const struct pt_regs *regs)
{
	return regs->ip - ARCH_BREAKPOINT_BYTES;
}

/* The trap entry left room below the interrupted stack pointer for one push. */
static void push(struct pt_regs *regs, unsigned long value)
{
	regs->sp -= sizeof(value);
	*(unsigned long *)regs->sp = value;
}

bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn)
{
	unsigned long next = addr + ARCH_INSN_BYTES;
	unsigned long target = arch_insn_target(insn, addr);
	u8 nop[ARCH_INSN_BYTES];

	if (!target) {
		arch_insn_nop(nop);
		if (memcmp(insn, nop, sizeof(nop)) != 0)
			return false;
		target = next;
	}
	if (insn[0] == X86_CALL)
		push(regs, next);
	regs->ip = target;
	return true;
}
