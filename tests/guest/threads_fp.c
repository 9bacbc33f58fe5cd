// SPDX-License-Identifier: MIT
/*
 * Each thread owns its FP registers: two threads on one CPU compute with doubles
 * for many ticks, both against the same sums in integers. (This file may use
 * the FPU.)
 */
#include "tests/test.h"

#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"

#define SWITCHES	6
#define CHUNK		1000

struct work {
	u32 step;
	unsigned long chunks;
	int wrong;
};

/* Sums stay below 2^53, where doubles are exact. Eight at once, to fill registers. */
static int check_chunk(u32 step)
{
	double d[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	u64 n[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	int wrong = 0;

	for (unsigned int i = 0; i < CHUNK; i++) {
		for (unsigned int k = 0; k < 8; k++) {
			d[k] += (double)(step + k);
			n[k] += step + k;
		}
	}
	for (unsigned int k = 0; k < 8; k++)
		wrong += (u64)d[k] != n[k];
	return wrong;
}

static int compute(void *arg)
{
	struct work *work = arg;
	unsigned long until = READ_ONCE(this_cpu()->switches) + SWITCHES;

	while (READ_ONCE(this_cpu()->switches) < until) {
		work->wrong += check_chunk(work->step);
		work->chunks++;
	}
	return work->wrong;
}

DEFINE_TEST(thread_fp)
{
	struct work work[2] = { { .step = 3 }, { .step = 1000003 } };
	struct thread *a = thread_create("fp a", compute, &work[0], 0);
	struct thread *b = thread_create("fp b", compute, &work[1], 0);
	int wrong = thread_join(a);

	wrong += thread_join(b);
	report(work[0].chunks && work[1].chunks, "two threads computed, %lu and %lu chunks",
	       work[0].chunks, work[1].chunks);
	report(wrong == 0, "FP registers survive preemption (%d wrong sums)", wrong);
}
