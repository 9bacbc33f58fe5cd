// SPDX-License-Identifier: MIT
/* Mutant: an interrupt inherits the guard bits of what it interrupted. */
#include "core/baretrace.h"

void __real_baretrace_irq_enter(struct pt_regs *regs, struct baretrace_irq *save);

void baretrace_irq_enter(struct pt_regs *regs, struct baretrace_irq *save)
{
	__real_baretrace_irq_enter(regs, save);
	host_trace_state()->recursion = save->recursion;
}
