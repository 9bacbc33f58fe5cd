// SPDX-License-Identifier: MIT
/* The one CPU: who runs on it, its vectors before the MMU is on, its registers in print. */
#include "kernel/port.h"

#include "base/print.h"
#include "kernel/thread.h"
#include "linker/sections.h"

#include <asm/ptrace.h>
#include <port/cp15.h>
#include <port/vectors.h>

/* A stand-in with the boot stack's bounds, so that a fault before sched_init() can be reported. */
static struct thread early_thread = {
	.stack_low = (unsigned long)__stack_boot_bottom,
	.stack_high = (unsigned long)__stack_boot_top,
};

struct thread *current_thread = &early_thread;

/*
 * mmu_init() brings the vectors to 0xffff0000. Until then they are at 0, which
 * is memory when the image lies in the first MiB; elsewhere early faults hang.
 */
void port_init_cpu(struct cpu *cpu)
{
	u32 *low = NULL;
	unsigned int i;

	if ((sctlr_read() & SCTLR_MMU) || (unsigned long)__image_start >= 0x100000)
		return;
	__asm__("" : "+r"(low));	/* address 0 is meant: hide it from the compiler */
	for (i = 0; i < (unsigned int)(arm_vectors_end - arm_vectors); i++)
		low[i] = arm_vectors[i];
	icache_invalidate();
}

void port_show_regs(const struct pt_regs *regs)
{
	unsigned int i;

	pr_info("pc %08lx  lr %08lx  sp %08lx  cpsr %08lx\n", regs->pc, regs->lr, regs->sp, regs->cpsr);
	for (i = 0; i < 12; i += 4)
		pr_info("r%-2u %08lx  r%-2u %08lx  r%-2u %08lx  r%-2u %08lx\n", i, regs->r[i],
			i + 1, regs->r[i + 1], i + 2, regs->r[i + 2], i + 3, regs->r[i + 3]);
	pr_info("r12 %08lx\n", regs->r[12]);
}
