// SPDX-License-Identifier: MIT
/* Offsets that the assembly of this port uses. */
#include "base/kbuild.h"

#include <asm/ptrace.h>
#include <port/start.h>

void arm64_offsets(void);

void arm64_offsets(void)
{
	DEFINE(PT_REGS_SIZE, sizeof(struct pt_regs));
	DEFINE(PT_SP, offsetof(struct pt_regs, sp));
	DEFINE(PT_PC, offsetof(struct pt_regs, pc));
	DEFINE(START_TTBR0, offsetof(struct arm64_start, ttbr0));
	DEFINE(START_TCR, offsetof(struct arm64_start, tcr));
	DEFINE(START_SCTLR, offsetof(struct arm64_start, sctlr));
	DEFINE(START_STACK_TOP, offsetof(struct arm64_start, stack_top));
	DEFINE(START_CPU, offsetof(struct arm64_start, cpu));
}
