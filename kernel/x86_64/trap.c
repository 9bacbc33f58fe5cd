// SPDX-License-Identifier: MIT
/*
 * What comes in through vectors.S: breakpoints, NMIs, interrupts, faults.
 *
 * Interrupts are off throughout. Nothing traced runs before
 * baretrace_irq_enter() or after baretrace_irq_exit(), except by the scheduler,
 * which then acts for the thread that was interrupted.
 */
#include "base/print.h"
#include "core/baretrace.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"

#include <asm/ptrace.h>
#include <port/vector.h>

void trap_entry(struct pt_regs *regs);	/* vectors.S */

static const char *const exception_names[NR_EXCEPTIONS] = {
	[0] = "divide error",
	[1] = "debug exception",
	[VECTOR_BREAKPOINT] = "breakpoint",
	[4] = "overflow",
	[5] = "bound range exceeded",
	[6] = "invalid opcode",
	[7] = "device not available",
	[VECTOR_DOUBLE_FAULT] = "double fault (stack overflow?)",
	[10] = "invalid TSS",
	[11] = "segment not present",
	[12] = "stack segment fault",
	[13] = "general protection fault",
	[16] = "x87 floating point error",
	[17] = "alignment check",
	[18] = "machine check",
	[19] = "SIMD floating point error",
};

#define PF_PRESENT	(1UL << 0)
#define PF_WRITE	(1UL << 1)
#define PF_RESERVED	(1UL << 3)
#define PF_FETCH	(1UL << 4)

static const char *page_fault_name(unsigned long error)
{
	if (error & PF_RESERVED)
		return "page fault: reserved bit set in a page table";
	if (error & PF_FETCH)
		return error & PF_PRESENT ? "page fault: execution of a no-execute page" :
					    "page fault: execution of an unmapped page";
	if (error & PF_WRITE)
		return error & PF_PRESENT ? "page fault: write to a read-only page" :
					    "page fault: write to an unmapped page";
	return "page fault: read of an unmapped page";
}

static void fault(struct pt_regs *regs)
{
	const char *what = exception_names[regs->vector];
	unsigned long addr = 0;

	if (regs->vector == VECTOR_PAGE_FAULT || regs->vector == VECTOR_DOUBLE_FAULT)
		__asm__ volatile("movq %%cr2, %0" : "=r"(addr));
	if (regs->vector == VECTOR_PAGE_FAULT)
		what = page_fault_name(regs->error);
	if (regs->vector != VECTOR_DOUBLE_FAULT && kernel_fault_expected(regs, addr))
		return;
	kernel_fault(regs, what ? what : "unknown exception", addr);
}

/* What irq_enter() changes and irq_exit() puts back. */
struct irq_frame {
	struct baretrace_irq trace;
	struct pt_regs *outer;
	bool watching;
};

static void irq_enter(struct pt_regs *regs, struct irq_frame *frame)
{
	struct cpu *cpu = this_cpu();

	baretrace_irq_enter(regs, &frame->trace);
	cpu->irq_depth++;
	frame->outer = cpu->irq_regs;
	cpu->irq_regs = regs;
	frame->watching = cpu->watching;
	cpu->watching = true;
}

static void irq_exit(struct irq_frame *frame)
{
	struct cpu *cpu = this_cpu();

	cpu->irq_regs = frame->outer;
	cpu->irq_depth--;
	baretrace_irq_exit(&frame->trace);
}

static void nmi(struct pt_regs *regs)
{
	struct cpu *cpu = this_cpu();
	unsigned long fixup_pc = cpu->fixup_pc;
	struct irq_frame frame;

	cpu->fixup_pc = 0;	/* a fault in here is not the one that was expected */
	irq_enter(regs, &frame);
	cpu->nmis++;
	kernel_nmi(regs);
	irq_exit(&frame);
	cpu->watching = frame.watching;
	cpu->fixup_pc = fixup_pc;
}

static void interrupt(struct pt_regs *regs)
{
	struct irq_frame frame;

	irq_enter(regs, &frame);
	if (regs->vector == VECTOR_SOFT)
		((void (*)(void *))regs->di)((void *)regs->si);
	else
		board_irq(regs, regs->vector);
	irq_exit(&frame);

	/*
	 * A context with interrupts off asked for port_soft_irq() itself and does
	 * not expect to be switched away. The CPU goes on watching while it
	 * schedules; we may come back on another one.
	 */
	if (this_cpu()->irq_depth == 0 && regs_irqs_on(regs))
		sched_irq_exit(regs);
	this_cpu()->watching = frame.watching;
}

void trap_entry(struct pt_regs *regs)
{
	if (regs->vector == VECTOR_BREAKPOINT && baretrace_trap(regs, BARETRACE_CAUSE_BREAKPOINT))
		return;
	if (regs->vector == VECTOR_NMI)
		nmi(regs);
	else if (regs->vector < NR_EXCEPTIONS)
		fault(regs);
	else
		interrupt(regs);
}

/* rdi and rsi of the frame are how interrupt() learns what to call. */
void port_soft_irq(void (*fn)(void *arg), void *arg)
{
	__asm__ volatile("int %0" : : "i"(VECTOR_SOFT), "D"(fn), "S"(arg) : "memory");
}

void port_show_regs(const struct pt_regs *regs)
{
	pr_info("  rip %016lx %pS\n", regs->ip, (void *)regs->ip);
	pr_info("  rsp %016lx rflags %08lx cs %04lx vector %lu error %lx\n",
		regs->sp, regs->flags, regs->cs, regs->vector, regs->error);
	pr_info("  rax %016lx rbx %016lx rcx %016lx\n", regs->ax, regs->bx, regs->cx);
	pr_info("  rdx %016lx rsi %016lx rdi %016lx\n", regs->dx, regs->si, regs->di);
	pr_info("  rbp %016lx r8  %016lx r9  %016lx\n", regs->bp, regs->r8, regs->r9);
	pr_info("  r10 %016lx r11 %016lx r12 %016lx\n", regs->r10, regs->r11, regs->r12);
	pr_info("  r13 %016lx r14 %016lx r15 %016lx\n", regs->r13, regs->r14, regs->r15);
}
