// SPDX-License-Identifier: MIT
/*
 * One figure of a benchmark as a JSON line on the console, marked "@json", for
 * the program that gave `measure=`; a person who did not is spared it. The host
 * adds what only it knows: board, accelerator, compiler, commit.
 */
#pragma once

#include "bench/measure.h"

/* One member of "params": a number, or @text when it is not NULL. */
struct result_param {
	const char *key;
	const char *text;
	unsigned long number;
};

/**
 * result_print() - one figure
 * @bench: name of the benchmark
 * @params: what it was measured with, ended by a NULL key
 * @metric: as in the results, "insns_per_call" say
 * @unit: "instructions", "ns", "rounds" ...
 * @figure: in hundredths
 *
 * Thread context.
 */
void result_print(const char *bench, const struct result_param *params,
		  const char *metric, const char *unit, const struct figure *figure);

/* Print a value in hundredths as "12.34" into a buffer; returns the buffer. */
const char *hundredths(char *buf, size_t size, u64 value);
