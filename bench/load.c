// SPDX-License-Identifier: MIT
/* Busy CPUs: the threads are preempted by the tick but never sleep or yield. */
#include "bench/load.h"

#include "base/bug.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"

struct caller {
	struct thread *thread;
	bool running;
	unsigned long wrong;
};

static struct caller callers[MAX_CPUS];
static const generated_fn *called;
static unsigned int nr_called;
static bool stop;

static int call_all(void *arg)
{
	struct caller *me = arg;

	while (!READ_ONCE(stop)) {
		for (unsigned int i = 0; i < nr_called && !READ_ONCE(stop); i++) {
			me->wrong += called[i](3) != (int)(3 + i);
			WRITE_ONCE(me->running, true);
			/* An emulator that runs its CPUs in turn gives the next one its turn here. */
			cpu_relax();
		}
	}
	return 0;
}

void load_start(const generated_fn *functions, unsigned int nr)
{
	struct cpu *cpu;

	called = functions;
	nr_called = nr;
	WRITE_ONCE(stop, false);
	for_each_online_cpu(cpu) {
		struct caller *caller = &callers[cpu->id];

		*caller = (struct caller){ 0 };
		if (cpu->id == cpu_id())
			continue;
		caller->thread = thread_create("load", call_all, caller, cpu->id);
		BUG_ON(!caller->thread);
	}
	for_each_online_cpu(cpu)
		while (callers[cpu->id].thread && !READ_ONCE(callers[cpu->id].running))
			thread_sleep_ms(10);
}

unsigned long load_stop(void)
{
	unsigned long wrong = 0;
	struct cpu *cpu;

	WRITE_ONCE(stop, true);
	for_each_online_cpu(cpu) {
		if (!callers[cpu->id].thread)
			continue;
		thread_join(callers[cpu->id].thread);
		wrong += callers[cpu->id].wrong;
	}
	return wrong;
}
