// SPDX-License-Identifier: MIT
/*
 * Benchmarks: `bench=name` on the command line runs one. Behind the function stand
 * the keys it asks for beside `measure`, which all have; any other key is refused.
 */
#pragma once

#include "kernel/registry.h"

#define DEFINE_BENCH(name_, fn, ...) \
	static const char *const bench_keys_##name_[] = { "measure", ##__VA_ARGS__, NULL }; \
	static const struct bench bench_entry_##name_ \
		__used __section(".benches") __aligned(sizeof(void *)) = { #name_, bench_keys_##name_, fn }
