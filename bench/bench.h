// SPDX-License-Identifier: MIT
/* Benchmarks: `bench=name` on the command line runs one. */
#pragma once

#include "base/types.h"

struct bench {
	const char *name;
	int (*run)(void);	/* 0, or a failing exit code: then no number may be believed */
};

#define DEFINE_BENCH(name_, fn) \
	static const struct bench bench_entry_##name_ \
		__used __section(".benches") __aligned(sizeof(void *)) = { #name_, fn }
