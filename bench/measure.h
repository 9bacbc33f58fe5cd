// SPDX-License-Identifier: MIT
/*
 * Measuring a loop of calls: instructions where the machine counts them
 * (an emulator with one instruction a tick), else time.
 *
 * Which one is the command line's `measure=insns|ns`. Samples are taken with
 * interrupts off and stored outside the measured stretch. Figures are of the
 * whole loop body, nothing subtracted.
 */
#pragma once

#include "base/types.h"
#include "bench/tracee.h"

/* Hundredths of an instruction or of a nanosecond, per call. */
struct figure {
	u64 median, min, max;
	unsigned int samples;
};

/* Of a difference of board_clock(), the host's clock. */
u64 ticks_to_ns(u64 ticks);

/* Does `measure=` ask for instructions? Ends the run, and says why, where nothing counts them. */
bool measuring_insns(void);
const char *measured_metric(void);	/* "insns_per_call" or "ns_per_call" */
const char *measured_unit(void);	/* "instructions" or "ns" */

/**
 * call_loop() - call a function again and again
 * @tracee: what to call
 * @nr_calls: how often, >= 1
 *
 * One loop for every tracee, so that its own instructions are the same in all rows.
 */
void call_loop(tracee_fn tracee, unsigned long nr_calls);

/**
 * measure_calls() - the figure of one loop
 * @tracee: what to call
 * @nr_calls: calls in one sample
 *
 * Return: median, min and max of MEASURE_SAMPLES samples, after one that is
 * thrown away (an emulator translates the code in it). Calls made in all:
 * nr_calls * (MEASURE_SAMPLES + 1).
 */
struct figure measure_calls(tracee_fn tracee, unsigned long nr_calls);
#define MEASURE_SAMPLES	5

/* Time of one loop in ns, for the single run. */
u64 time_calls(tracee_fn tracee, unsigned long nr_calls);
