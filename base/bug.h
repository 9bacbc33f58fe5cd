// SPDX-License-Identifier: MIT
/* Checks of our own invariants: a broken one stops the machine, loudly. */
#pragma once

#include "base/types.h"

/**
 * bug_at() - report a broken invariant and stop
 * @file: source file of the check
 * @line: line of the check
 * @what: text of the condition that held and must not
 *
 * Prints place and condition, then host_panic(). Any context.
 */
__noreturn void bug_at(const char *file, int line, const char *what);

/**
 * warn_at() - report a broken expectation once printed, and go on
 * @file: source file of the check
 * @line: line of the check
 * @what: text of the condition
 *
 * Counted in warn_count, which a test may require to be 0. Any context.
 */
void warn_at(const char *file, int line, const char *what);

extern unsigned int warn_count;

#define BUG()		bug_at(__FILE__, __LINE__, "BUG()")
#define BUG_ON(cond) do { \
	if (unlikely(cond)) \
		bug_at(__FILE__, __LINE__, #cond); \
} while (0)

#define WARN_ON(cond) ({ \
	bool warn_ = !!(cond); \
	if (unlikely(warn_)) \
		warn_at(__FILE__, __LINE__, #cond); \
	warn_; \
})
