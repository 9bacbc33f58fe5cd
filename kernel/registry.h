// SPDX-License-Identifier: MIT
/*
 * Benchmarks and tests by name. They lie above the kernel and come to it
 * through linker sections, so that the kernel names none of them.
 */
#pragma once

#include "base/types.h"

struct bench {
	const char *name;
	const char *const *keys;	/* of the command line, ended by NULL; no other is taken */
	int (*run)(void);	/* 0, or a failing exit code: then no number may be believed */
};

/*
 * Run one. Return: its exit code; 1, with a list of what there is, when there is
 * none of this name or the command line has a key that it does not know.
 */
int run_bench(const char *name);

/* Run the tests named in @list ("all": every one), print SUMMARY. Return: exit code. */
int run_tests(const char *list);
