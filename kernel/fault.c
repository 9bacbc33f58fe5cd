// SPDX-License-Identifier: MIT
/*
 * The end: say what happened, where and in whom, then stop the machine with a
 * failing exit code.
 *
 * Only the first CPU here reports. A fault inside the report is reported short;
 * a fault inside that ends the machine at once.
 */
#include "kernel/fault.h"

#include "arch/arch.h"
#include "base/atomic.h"
#include "base/host.h"
#include "base/print.h"
#include "core/stacktrace.h"
#include "kernel/console.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

static unsigned int reporter;	/* CPU id + 1 */
static unsigned int depth;

/* Return: how deep inside the report we are already. Other CPUs than the reporter stay here. */
static unsigned int report_begin(void)
{
	unsigned int me = cpu_id() + 1;

	irq_disable();
	if (!smp_started)
		reporter = me;
	else if (!atomic_cmpxchg(&reporter, 0u, me) && reporter != me)
		smp_halt();
	console_panic();
	if (depth == 0)
		smp_stop_others();
	return depth++;
}

static void report_context(const struct pt_regs *regs)
{
	const struct cpu *cpu = this_cpu();
	const struct thread *t = cpu->current;

	pr_info("CPU %u, thread %s%s\n", cpu->id, t ? t->name : "(none yet)",
		cpu->irq_depth ? ", in an interrupt" : "");
	if (regs)
		port_show_regs(regs);
	pr_info("backtrace:\n");
	stacktrace_print(regs);
}

static __noreturn void end(const struct pt_regs *regs, const char *message)
{
	static const char *first;
	unsigned int level = report_begin();

	if (level == 0) {
		first = message;
		report_context(regs);
		pr_info("PANIC: %s\n", message);
	} else if (level == 1) {
		pr_info("PANIC: %s; while reporting this: %s\n", first, message);
	}
	board_exit(1);
}

__noreturn void host_panic(const struct pt_regs *regs, const char *message)
{
	end(regs, message);
}

__noreturn void kernel_fault(struct pt_regs *regs, const char *what, unsigned long fault_addr)
{
	char message[160];

	format(message, sizeof(message), "%s, address %lx, at %pS", what, fault_addr,
	       (void *)regs_pc(regs));
	end(regs, message);
}

bool kernel_fault_expected(struct pt_regs *regs, unsigned long fault_addr)
{
	struct cpu *cpu = this_cpu();

	if (!cpu->fixup_pc)
		return false;
	cpu->fault_addr = fault_addr;
	regs_set_pc(regs, cpu->fixup_pc);
	cpu->fixup_pc = 0;
	return true;
}
