// SPDX-License-Identifier: MIT
/*
 * Benchmarks and tests by name. They lie above the kernel and come to it
 * through linker sections, so that the kernel names none of them.
 */
#pragma once

#include "base/types.h"

struct bench {
	const char *name;
	int (*run)(void);	/* 0, or a failing exit code: then no number may be believed */
};

/* Run one. Return: its exit code; 1, with a list of what there is, when there is none. */
int run_bench(const char *name);

/* Run the tests named in @list ("all": every one), print SUMMARY. Return: exit code. */
int run_tests(const char *list);
