// SPDX-License-Identifier: MIT
/* Benchmarks: `bench=name` on the command line runs one. */
#pragma once

#include "kernel/registry.h"

#define DEFINE_BENCH(name_, fn) \
	static const struct bench bench_entry_##name_ \
		__used __section(".benches") __aligned(sizeof(void *)) = { #name_, fn }
