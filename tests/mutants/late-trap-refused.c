// SPDX-License-Identifier: MIT
/* Mutant: only breakpoints that are in memory are ours. */
#include "patch/text_poke.h"

bool __real_text_poke_trap(struct pt_regs *regs);

bool text_poke_trap(struct pt_regs *regs)
{
	u8 insn[ARCH_BREAKPOINT_BYTES];

	arch_insn_breakpoint(insn);
	return *(const u8 *)arch_trap_address(regs) == insn[0] && __real_text_poke_trap(regs);
}
