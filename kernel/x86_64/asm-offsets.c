// SPDX-License-Identifier: MIT
/* Offsets that only the x86-64 assembly of kernel/ and boot/ uses; the others: kernel/asm-offsets.c. */
#include "base/kbuild.h"
#include "kernel/machine.h"
#include "kernel/percpu.h"

void x86_kernel_offsets(void);

void x86_kernel_offsets(void)
{
	DEFINE(CPU_MMU_GENERATION, offsetof(struct cpu, scratch[0]));
	DEFINE(MACHINE_CPU_HWID, offsetof(struct machine, cpu_hwid));
	DEFINE(NR_CPU_SLOTS, MAX_CPUS);
}
