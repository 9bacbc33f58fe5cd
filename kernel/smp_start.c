// SPDX-License-Identifier: MIT
/* Starting the other CPUs, one after the other, and what each does on arrival. */
#include "kernel/smp.h"

#include "base/atomic.h"
#include "base/bug.h"
#include "base/print.h"
#include "kernel/cmdline.h"
#include "kernel/main.h"
#include "kernel/port.h"
#include "kernel/thread.h"

#define START_SECONDS	5

static bool wait_online(const struct cpu *cpu)
{
	u64 end = board_clock() + START_SECONDS * board_clock_hz();

	while (!smp_load_acquire(&cpu->online)) {
		cpu_relax();
		if (board_clock() > end)
			return false;
	}
	return true;
}

static void start_cpu(unsigned int id)
{
	struct cpu *cpu = &cpus[id];
	int ret;

	cpu->self = cpu;
	cpu->id = id;
	if (!thread_make_idle(cpu)) {
		pr_info("CPU %u: no memory for its stack\n", id);
		return;
	}
	ret = board_start_cpu(id, cpu->stack_top);
	if (ret)
		pr_info("CPU %u: the firmware refuses to start it (%d)\n", id, ret);
	else if (!wait_online(cpu))
		pr_info("CPU %u: did not come up\n", id);
}

/* A CPU that arrived in the middle of a round would be waited for by who counts heads. */
void smp_start_cpu(unsigned int id)
{
	smp_hold_calls();
	start_cpu(id);
	smp_release_calls();
}

unsigned int smp_start(void)
{
	nr_cpus = cmdline_number("smp", machine.nr_cpus, 1, MAX_CPUS);
	if (nr_cpus > machine.nr_cpus) {
		pr_info("smp=%u: the machine has %u\n", nr_cpus, machine.nr_cpus);
		nr_cpus = machine.nr_cpus;
	}
	/* The other CPUs get theirs when they are started. */
	BUG_ON(!thread_make_idle(&cpus[0]));
	smp_started = true;
	for (unsigned int id = 1; id < nr_cpus; id++)
		start_cpu(id);
	WARN_ON(smp_online() < nr_cpus);	/* and the job's exit code tells */
	return smp_online();
}

/* No call site: its first instructions run before the vectors are loaded, and there may be a breakpoint in it. */
notrace __noreturn void kernel_secondary_main(unsigned int id)
{
	struct cpu *cpu = &cpus[id];

	port_init_cpu(cpu);
	mmu_init_cpu();
	sched_init_cpu();
	board_irq_init_cpu();
	board_timer_start(TICK_HZ);
	cpu->watching = true;
	smp_store_release(&cpu->online, true);
	sched_idle();
}
