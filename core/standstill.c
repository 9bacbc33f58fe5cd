// SPDX-License-Identifier: MIT
/* Holding all CPUs to look at all contexts. */
#include "core/standstill.h"
#include "base/atomic.h"
#include "core/baretrace.h"

static void look(void *arg)
{
	struct standstill *all = arg;
	const struct pt_regs *regs = baretrace_irq_regs();

	all->running(all, regs);
	if (regs) {
		/* Full barrier: what we noted is there when the caller counts us. */
		atomic_inc(&all->held);
		while (!smp_load_acquire(&all->released))
			arch_relax();
		return;
	}
	/* Only the caller came here without an interrupt. */
	while (smp_load_acquire(&all->held) < host_nr_online() - 1)
		arch_relax();
	host_for_each_suspended(all->suspended, all);
	smp_store_release(&all->released, 1u);
}

void standstill(struct standstill *all)
{
	all->held = 0;
	all->released = 0;
	host_on_each_cpu(look, all, HOST_ROUND_QUIESCE);
}
