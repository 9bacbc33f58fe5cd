// SPDX-License-Identifier: MIT
/* Threads that call the tracees, check what they return and count. */
#include "tests/guest/ftrace_callers.h"
#include "tests/guest/ftrace_tracees.h"
#include "tests/test.h"

#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define THREADS_A_CPU	2
#define MAX_CALLERS	(MAX_CPUS * THREADS_A_CPU)

struct caller {
	struct thread *thread;
	unsigned long calls;	/* of each tracee */
	unsigned long wrong;
	unsigned long limit;	/* 0: until stopped */
};

static struct caller callers[MAX_CALLERS];
static unsigned int nr_callers;
static bool stop;

static int call(void *arg)
{
	struct caller *c = arg;

	while (!READ_ONCE(stop) && (!c->limit || c->calls < c->limit)) {
		for (unsigned int i = 0; i < NR_FT_TRACEES; i++)
			c->wrong += ft_tracees[i](c->calls) != c->calls + i;
		WRITE_ONCE(c->calls, c->calls + 1);
		/* A turn for the other CPUs, where an emulator runs all of them in one thread. */
		if (c->calls % 64 == 0)
			cpu_relax();
	}
	return 0;
}

void ftrace_callers_start(unsigned long limit)
{
	stop = false;
	nr_callers = smp_online() * THREADS_A_CPU;
	for (unsigned int i = 0; i < nr_callers; i++) {
		callers[i] = (struct caller) { .limit = limit };
		callers[i].thread = thread_create("caller", call, &callers[i], i % smp_online());
		if (!callers[i].thread)
			report(false, "thread %u", i);
	}
}

unsigned long ftrace_callers_join(void)
{
	unsigned long calls = 0, wrong = 0;

	for (unsigned int i = 0; i < nr_callers; i++) {
		if (callers[i].thread)
			thread_join(callers[i].thread);
		calls += callers[i].calls;
		wrong += callers[i].wrong;
	}
	report(calls && !wrong, "%lu calls of each function, %lu wrong results", calls, wrong);
	return calls;
}

unsigned long ftrace_callers_stop(void)
{
	WRITE_ONCE(stop, true);
	return ftrace_callers_join();
}
