// SPDX-License-Identifier: MIT
/* Offsets that assembly needs: struct pt_regs. */
#include "base/kbuild.h"
#include <asm/ptrace.h>

#define OFFSET(name, member)	DEFINE(name, offsetof(struct pt_regs, member))

void arch_offsets(void);
void arch_offsets(void)
{
	OFFSET(PT_R15, r15);
	OFFSET(PT_R14, r14);
	OFFSET(PT_R13, r13);
	OFFSET(PT_R12, r12);
	OFFSET(PT_BP, bp);
	OFFSET(PT_BX, bx);
	OFFSET(PT_R11, r11);
	OFFSET(PT_R10, r10);
	OFFSET(PT_R9, r9);
	OFFSET(PT_R8, r8);
	OFFSET(PT_AX, ax);
	OFFSET(PT_CX, cx);
	OFFSET(PT_DX, dx);
	OFFSET(PT_SI, si);
	OFFSET(PT_DI, di);
	OFFSET(PT_VECTOR, vector);
	OFFSET(PT_ERROR, error);
	OFFSET(PT_IP, ip);
	OFFSET(PT_CS, cs);
	OFFSET(PT_FLAGS, flags);
	OFFSET(PT_SP, sp);
	OFFSET(PT_SS, ss);
	DEFINE(PT_REGS_SIZE, sizeof(struct pt_regs));
}
