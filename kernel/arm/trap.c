// SPDX-License-Identifier: MIT
/*
 * What the vectors call: interrupts, breakpoints, faults.
 *
 * All of it runs in SVC mode on the interrupted stack with interrupts off. A
 * breakpoint is an undefined instruction or a BKPT, which comes as a prefetch
 * abort; the saved pc is its own address in both cases.
 */
#include <port/vectors.h>

#include "core/baretrace.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "linker/sections.h"

#include <port/entry.h>

#define CPSR_THUMB		(1ul << 5)
#define BKPT_MASK		0xfff000f0u	/* ARM ARM A4.1.7 */
#define BKPT			0xe1200070u
#define FAULT_STATUS_DEBUG	2u

/* What an interrupt puts aside on its stack. */
struct interrupt {
	struct baretrace_irq trace;
	struct pt_regs *outer;
	bool watching;
};

static void interrupt_enter(struct interrupt *in, struct pt_regs *regs)
{
	struct cpu *cpu = this_cpu();

	in->watching = cpu->watching;
	in->outer = cpu->irq_regs;
	cpu->watching = true;
	cpu->irq_regs = regs;
	cpu->irq_depth++;
	baretrace_irq_enter(regs, &in->trace);
}

/*
 * The interrupted thread may be left here and come back later: what is its own,
 * whether it was idle, is put back last.
 */
static void interrupt_exit(struct interrupt *in, struct pt_regs *regs)
{
	struct cpu *cpu = this_cpu();

	baretrace_irq_exit(&in->trace);
	cpu->irq_depth--;
	cpu->irq_regs = in->outer;
	if (!cpu->irq_depth && regs_irqs_on(regs))
		sched_irq_exit(regs);
	cpu->watching = in->watching;
}

void trap_irq(struct pt_regs *regs)
{
	struct interrupt in;

	interrupt_enter(&in, regs);
	board_irq(regs, 0);
	interrupt_exit(&in, regs);
}

/* r0 and r1 are as port_soft_irq(fn, arg) got them. */
static void soft_irq(struct pt_regs *regs)
{
	void (*fn)(void *arg) = (void (*)(void *))regs->r[0];
	struct interrupt in;

	interrupt_enter(&in, regs);
	fn((void *)regs->r[1]);
	interrupt_exit(&in, regs);
}

/* ARM state only: no Thumb code of ours makes a SWI. */
static u32 svc_number(const struct pt_regs *regs)
{
	if (regs->cpsr & CPSR_THUMB)
		return SWI_NONE;
	return *(const u32 *)(regs->pc - 4) & 0xffffff;
}

void trap_svc(struct pt_regs *regs)
{
	switch (svc_number(regs)) {
	case SWI_SOFT_IRQ:
		return soft_irq(regs);
	case SWI_SEMIHOSTING:
		/* Nobody listens: the caller goes on. */
		regs->r[0] = -1ul;
		return;
	}
	kernel_fault(regs, "unexpected SWI", regs->pc);
}

void trap_undefined(struct pt_regs *regs)
{
	/* The vector's correction is that of ARM state. */
	if (regs->cpsr & CPSR_THUMB)
		regs->pc += 2;
	if (baretrace_trap(regs, BARETRACE_CAUSE_BREAKPOINT))
		return;
	kernel_fault(regs, "undefined instruction", regs->pc);
}

/* ---- aborts ---------------------------------------------------------- */

static u32 instruction_fault_status(void)
{
	u32 status;

	__asm__ volatile("mrc p15, 0, %0, c5, c0, 1" : "=r"(status));
	return status & 15;
}

static u32 data_fault_status(void)
{
	u32 status;

	__asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(status));
	return status & 15;
}

static unsigned long data_fault_address(void)
{
	unsigned long addr;

	__asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(addr));
	return addr;
}

/* ARM926EJ-S TRM, table 3-9: the encodings that core can give. */
static const char *fault_name(u32 status)
{
	switch (status) {
	case 1:
	case 3:
		return "misaligned access";
	case 5:
	case 7:
		return "access to unmapped memory";
	case 9:
	case 11:
		return "access outside of the domain";
	case 13:
	case 15:
		return "access against the page's permission";
	case 8:
	case 10:
		return "external abort on an access";
	case 12:
	case 14:
		return "external abort on a table walk";
	}
	return "abort of an unknown kind";
}

/* Text is always mapped, so that looking at the instruction cannot fault. */
static bool is_bkpt(const struct pt_regs *regs)
{
	if (regs->pc < (unsigned long)__text_start || regs->pc >= (unsigned long)__text_end)
		return false;
	if ((regs->cpsr & CPSR_THUMB) || (regs->pc & 3))
		return false;
	return (*(const u32 *)regs->pc & BKPT_MASK) == BKPT;
}

void trap_prefetch_abort(struct pt_regs *regs)
{
	u32 status = instruction_fault_status();

	if (status == FAULT_STATUS_DEBUG || is_bkpt(regs)) {
		if (baretrace_trap(regs, BARETRACE_CAUSE_BREAKPOINT))
			return;
		kernel_fault(regs, "breakpoint", regs->pc);
	}
	if (kernel_fault_expected(regs, regs->pc))
		return;
	kernel_fault(regs, status == 5 || status == 7 ? "jump to unmapped memory" : fault_name(status), regs->pc);
}

void trap_data_abort(struct pt_regs *regs)
{
	unsigned long addr = data_fault_address();
	u32 status = data_fault_status();

	if (kernel_fault_expected(regs, addr))
		return;
	kernel_fault(regs, fault_name(status), addr);
}
