// SPDX-License-Identifier: MIT
/* A load for the other CPUs: threads, one on each, that call functions and check the results. */
#pragma once

#include "bench/generated.h"

/**
 * load_start() - keep all other CPUs busy
 * @functions: number i returns its argument plus i
 * @nr: how many of them to call, round and round
 *
 * Returns when each has called one. Thread context, pinned.
 */
void load_start(const generated_fn *functions, unsigned int nr);

/* End it. Return: wrong results that were seen. */
unsigned long load_stop(void);
