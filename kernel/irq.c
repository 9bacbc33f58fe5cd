// SPDX-License-Identifier: MIT
/*
 * What boards call from an interrupt. The port has framed it already: depth
 * counted, the CPU watching, baretrace_irq_enter() done, so all of this may be
 * traced.
 */
#include "kernel/board.h"

#include "kernel/console.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

void kernel_tick(struct pt_regs *regs)
{
	sched_tick();
}

void kernel_ipi(struct pt_regs *regs, enum ipi ipi)
{
	this_cpu()->ipis[ipi]++;
	switch (ipi) {
	case IPI_CALL:
		smp_handle_call();
		break;
	case IPI_STOP:
		smp_halt();
	default:
		break;		/* IPI_RESCHEDULE: coming was all it had to do */
	}
}

void kernel_console_irq(struct pt_regs *regs)
{
	console_irq();
}

void kernel_nmi(struct pt_regs *regs)
{
	if (smp_stopping())
		smp_halt();
}
