// SPDX-License-Identifier: MIT
/* The measured stretch: interrupts off, two counter reads, one loop between them. */
#include "bench/measure.h"

#include "base/print.h"
#include "base/sort.h"
#include "base/string.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"

/* In two parts: the product would overflow after 18 seconds at 1 GHz. */
u64 ticks_to_ns(u64 ticks)
{
	u64 hz = board_clock_hz();

	return ticks / hz * 1000000000ULL + ticks % hz * 1000000000ULL / hz;
}

const char *measured_metric(void)
{
	return measuring_insns() ? "insns_per_call" : "ns_per_call";
}

const char *measured_unit(void)
{
	return measuring_insns() ? "instructions" : "ns";
}

notrace noinline void call_loop(tracee_fn tracee, unsigned long nr_calls)
{
	do
		tracee();
	while (--nr_calls);
}

static u64 count_insns(tracee_fn tracee, unsigned long nr_calls)
{
	unsigned long flags = irq_save();
	u64 start = insns_read();
	u64 end;

	call_loop(tracee, nr_calls);
	end = insns_read();
	irq_restore(flags);
	return (end - start) * INSNS_NUM / INSNS_DEN;
}

static notrace void do_nothing(void)
{
}

/* Work that is the same is the same number of instructions, but for what a slow counter rounds. */
static bool counter_counts_insns(void)
{
	u64 low = ~0ULL, high = 0;

	for (unsigned int i = 0; i < 8; i++) {
		u64 insns = count_insns(do_nothing, 10000);

		low = min(low, insns);
		high = max(high, insns);
	}
	return high - low <= INSNS_NUM / INSNS_DEN + 1;
}

bool measuring_insns(void)
{
	static bool checked;
	const char *what = cmdline_get("measure", "ns");

	if (strcmp(what, "ns") == 0)
		return false;
	if (strcmp(what, "insns") != 0) {
		pr_info("measure=%s: must be insns or ns\n", what);
		board_exit(1);
	}
	if (!checked && !counter_counts_insns()) {
		pr_info("measure=insns: nothing counts instructions here; take ACCEL=tcg-icount SMP=1\n");
		board_exit(1);
	}
	checked = true;
	return true;
}

u64 time_calls(tracee_fn tracee, unsigned long nr_calls)
{
	unsigned long flags = irq_save();
	u64 start = board_clock();
	u64 ticks;

	call_loop(tracee, nr_calls);
	ticks = board_clock() - start;
	irq_restore(flags);
	return ticks_to_ns(ticks);
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

struct figure measure_calls(tracee_fn tracee, unsigned long nr_calls)
{
	u64 (*sample)(tracee_fn, unsigned long) = measuring_insns() ? count_insns : time_calls;
	u64 samples[MEASURE_SAMPLES];

	sample(tracee, nr_calls);
	for (unsigned int i = 0; i < MEASURE_SAMPLES; i++)
		samples[i] = (sample(tracee, nr_calls) * 100 + nr_calls / 2) / nr_calls;
	sort(samples, MEASURE_SAMPLES, sizeof(samples[0]), compare_u64);
	return (struct figure){
		.median = samples[MEASURE_SAMPLES / 2],
		.min = samples[0],
		.max = samples[MEASURE_SAMPLES - 1],
		.samples = MEASURE_SAMPLES,
	};
}
