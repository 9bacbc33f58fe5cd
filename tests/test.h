// SPDX-License-Identifier: MIT
/*
 * In-guest tests. `test=name[,name...]` on the command line runs them in order;
 * the kernel prints the SUMMARY line and exits. Tests run in the main thread, which stays on CPU 0.
 */
#pragma once

#include "base/types.h"

struct test {
	const char *name;
	void (*run)(void);
};

#define DEFINE_TEST(name_) \
	static void test_##name_(void); \
	static const struct test test_entry_##name_ \
		__used __section(".tests") __aligned(sizeof(void *)) = { #name_, test_##name_ }; \
	static void test_##name_(void)

/* One check. Prints PASS or FAIL with the prefixes and the text. */
void report(bool cond, const char *fmt, ...) __printf(2, 3);
void report_skip(const char *fmt, ...) __printf(1, 2);
void report_info(const char *fmt, ...) __printf(1, 2);
void report_prefix_push(const char *prefix);
void report_prefix_pop(void);

/* Run the tests named in @list ("all" for every one), print SUMMARY. Return: exit code. */
int run_tests(const char *list);
