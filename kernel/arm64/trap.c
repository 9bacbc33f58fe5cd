// SPDX-License-Identifier: MIT
/*
 * What an exception was, and who handles it.
 *
 * Runs in front of everything that is traced: nothing here has a call site,
 * and baretrace_irq_enter() comes before any handler.
 */
#include "kernel/port.h"

#include "base/print.h"
#include "core/baretrace.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/thread.h"

#include <asm/ptrace.h>
#include <port/stack.h>
#include <port/sysreg.h>
#include <port/trap.h>

/* Exception classes, ESR_EL1 bits 31:26 (Arm ARM, D17.2.37). */
enum {
	EC_UNKNOWN = 0x00,
	EC_ILLEGAL_STATE = 0x0e,
	EC_SVC64 = 0x15,
	EC_INSN_ABORT = 0x21,
	EC_PC_ALIGNMENT = 0x22,
	EC_DATA_ABORT = 0x25,
	EC_SP_ALIGNMENT = 0x26,
	EC_SERROR = 0x2f,
	EC_STEP = 0x33,
	EC_BRK64 = 0x3c,
};

#define ESR_CLASS(esr)	((unsigned int)((esr) >> 26) & 0x3f)
#define ESR_IMM(esr)	((unsigned int)(esr) & 0xffff)
#define ESR_WRITE	(1u << 6)
#define ESR_FSC(esr)	((unsigned int)(esr) & 0x3f)

#define SOFT_IRQ_IMM	1
#define WHAT_BYTES	96

char arm64_emergency_stacks[MAX_CPUS][1 << EMERGENCY_STACK_SHIFT] __aligned(16);

/* One interrupt, hardware's or port_soft_irq()'s, around whatever handles it. */
struct irq_frame {
	struct baretrace_irq trace;
	struct pt_regs *outer;
	bool watching;
};

static void irq_enter(struct irq_frame *frame, struct pt_regs *regs)
{
	struct cpu *cpu = this_cpu();

	baretrace_irq_enter(regs, &frame->trace);
	frame->outer = cpu->irq_regs;
	frame->watching = cpu->watching;
	cpu->irq_regs = regs;
	cpu->irq_depth++;
	cpu->watching = true;
}

static void irq_exit(struct irq_frame *frame)
{
	struct cpu *cpu = this_cpu();

	cpu->watching = frame->watching;
	cpu->irq_depth--;
	cpu->irq_regs = frame->outer;
	baretrace_irq_exit(&frame->trace);
}

/* What was interrupted had interrupts on and was no handler itself: it may be preempted. */
static void reschedule(const struct pt_regs *regs)
{
	if (!this_cpu()->irq_depth && !(regs->pstate & ARM64_DAIF_I))
		sched_irq_exit(regs);
}

void arm64_irq(struct pt_regs *regs)
{
	struct irq_frame frame;

	irq_enter(&frame, regs);
	board_irq(regs, 0);
	irq_exit(&frame);
	reschedule(regs);
}

/* SVC is synchronous and heeds no mask, so the handler has run when it returns. */
void port_soft_irq(void (*fn)(void *arg), void *arg)
{
	register unsigned long x0 __asm__("x0") = (unsigned long)fn;
	register void *x1 __asm__("x1") = arg;

	/* In: x0, x1, which arm64_sync() reads from the frame. All registers come back. */
	__asm__ volatile("svc %0" : : "i"(SOFT_IRQ_IMM), "r"(x0), "r"(x1) : "memory");
}

static void soft_irq(struct pt_regs *regs)
{
	void (*fn)(void *arg) = (void (*)(void *))regs->x[0];
	struct irq_frame frame;

	irq_enter(&frame, regs);
	fn((void *)regs->x[1]);
	irq_exit(&frame);
	reschedule(regs);
}

static const char *class_name(unsigned int class)
{
	switch (class) {
	case EC_UNKNOWN: return "undefined instruction";
	case EC_ILLEGAL_STATE: return "illegal execution state";
	case EC_SVC64: return "SVC nobody expects";
	case EC_INSN_ABORT: return "instruction abort";
	case EC_PC_ALIGNMENT: return "misaligned pc";
	case EC_DATA_ABORT: return "data abort";
	case EC_SP_ALIGNMENT: return "misaligned sp";
	case EC_SERROR: return "system error";
	case EC_STEP: return "single step nobody expects";
	case EC_BRK64: return "breakpoint nobody owns";
	default: return "exception";
	}
}

/* Fault status codes 0x04 .. 0x0f: four kinds with the level in the low bits. */
static const char *status_name(unsigned int status)
{
	static const char *const by_kind[] = { "address size", "not mapped", "access flag", "permission" };

	if (status < 0x10)
		return by_kind[status >> 2];
	return status == 0x10 ? "external" : status == 0x21 ? "alignment" : "other";
}

static bool is_abort(unsigned int class)
{
	return class == EC_INSN_ABORT || class == EC_DATA_ABORT;
}

static void describe(char *buf, size_t size, u64 esr)
{
	unsigned int class = ESR_CLASS(esr);
	const char *access = class == EC_INSN_ABORT ? "execute" : esr & ESR_WRITE ? "write" : "read";

	if (is_abort(class))
		format(buf, size, "%s: %s, %s (esr 0x%lx)", class_name(class), access,
		       status_name(ESR_FSC(esr)), (unsigned long)esr);
	else
		format(buf, size, "%s (esr 0x%lx)", class_name(class), (unsigned long)esr);
}

void arm64_sync(struct pt_regs *regs)
{
	u64 esr = read_sysreg(esr_el1);
	unsigned long addr = read_sysreg(far_el1);
	unsigned int class = ESR_CLASS(esr);
	char what[WHAT_BYTES];

	if (class == EC_BRK64 && baretrace_trap(regs, BARETRACE_CAUSE_BREAKPOINT))
		return;
	if (class == EC_SVC64 && ESR_IMM(esr) == SOFT_IRQ_IMM) {
		soft_irq(regs);
		return;
	}
	if (!is_abort(class) && class != EC_PC_ALIGNMENT)
		addr = regs->pc;
	if (kernel_fault_expected(regs, addr))
		return;
	describe(what, sizeof(what), esr);
	kernel_fault(regs, what, addr);
}

void arm64_serror(struct pt_regs *regs)
{
	char what[WHAT_BYTES];

	describe(what, sizeof(what), read_sysreg(esr_el1));
	kernel_fault(regs, what, read_sysreg(far_el1));
}

void arm64_bad_entry(struct pt_regs *regs)
{
	kernel_fault(regs, "exception by a vector that has no use here", regs->pc);
}

void arm64_stack_overflow(struct pt_regs *regs)
{
	kernel_fault(regs, "stack overflow", regs->sp);
}
