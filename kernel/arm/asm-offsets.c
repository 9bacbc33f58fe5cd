// SPDX-License-Identifier: MIT
/* Offsets that the port's assembly needs. */
#include "base/kbuild.h"
#include "kernel/percpu.h"
#include "kernel/thread.h"

#include <asm/ptrace.h>

void kernel_offsets(void);

void kernel_offsets(void)
{
	DEFINE(REGS_R4, offsetof(struct pt_regs, r[4]));
	DEFINE(REGS_SP, offsetof(struct pt_regs, sp));
	DEFINE(REGS_LR, offsetof(struct pt_regs, lr));
	DEFINE(REGS_PC, offsetof(struct pt_regs, pc));
	DEFINE(REGS_CPSR, offsetof(struct pt_regs, cpsr));
	DEFINE(REGS_SIZE, sizeof(struct pt_regs));
	DEFINE(THREAD_SP, offsetof(struct thread, sp));
	DEFINE(THREAD_STACK_LOW, offsetof(struct thread, stack_low));
	DEFINE(THREAD_STACK_HIGH, offsetof(struct thread, stack_high));
	DEFINE(CPU_FIXUP_PC, offsetof(struct cpu, fixup_pc));
}
