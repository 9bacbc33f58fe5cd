// SPDX-License-Identifier: MIT
/* Mutant: an interrupt does not give back the guard bits that it put aside. */
#include "core/baretrace.h"

void __real_baretrace_irq_exit(struct baretrace_irq *save);

void baretrace_irq_exit(struct baretrace_irq *save)
{
	__real_baretrace_irq_exit(save);
	host_trace_state()->recursion = 0;
}
