// SPDX-License-Identifier: MIT
/* Offsets that assembly needs: struct pt_regs. */
#include "base/kbuild.h"
#include <asm/ptrace.h>

void arch_offsets(void);
void arch_offsets(void)
{
	DEFINE(PT_SP, offsetof(struct pt_regs, sp));
	DEFINE(PT_PC, offsetof(struct pt_regs, pc));
	DEFINE(PT_REGS_SIZE, sizeof(struct pt_regs));
}
