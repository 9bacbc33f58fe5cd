// SPDX-License-Identifier: MIT
/* Mutant: a breakpoint is taken for a nop, whatever the new instruction is. */
#include "arch/arch.h"

bool __real_arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn);

bool arch_emulate(struct pt_regs *regs, unsigned long addr, const u8 *insn)
{
	u8 nop[ARCH_INSN_BYTES];

	arch_insn_nop(nop);
	return __real_arch_emulate(regs, addr, nop);
}
