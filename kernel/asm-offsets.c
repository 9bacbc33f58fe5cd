// SPDX-License-Identifier: MIT
/* Offsets and sizes of the kernel's objects, for assembly. */
#include "base/kbuild.h"
#include "base/types.h"
#include "kernel/percpu.h"
#include "kernel/thread.h"

void kernel_offsets(void);

void kernel_offsets(void)
{
	DEFINE(CPU_SELF, offsetof(struct cpu, self));
	DEFINE(CPU_ID, offsetof(struct cpu, id));
	DEFINE(CPU_FIXUP_PC, offsetof(struct cpu, fixup_pc));
	DEFINE(CPU_BYTES, sizeof(struct cpu));
	DEFINE(THREAD_SP, offsetof(struct thread, sp));
	DEFINE(THREAD_SHADOW_SP, offsetof(struct thread, trace.shadow_sp));
	DEFINE(THREAD_FP_STATE, offsetof(struct thread, fp_state));
	DEFINE(THREAD_STACK_LOW, offsetof(struct thread, stack_low));
	DEFINE(THREAD_STACK_HIGH, offsetof(struct thread, stack_high));
}
