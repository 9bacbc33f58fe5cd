// SPDX-License-Identifier: MIT
/* Benchmarks by name; tests where the image has them. */
#include "kernel/registry.h"

#include "base/print.h"
#include "base/string.h"
#include "kernel/cmdline.h"

extern const struct bench __start_benches[], __stop_benches[];

int run_bench(const char *name)
{
	const struct bench *bench;

	for (bench = __start_benches; bench < __stop_benches; bench++) {
		if (strcmp(bench->name, name) == 0)
			return cmdline_check(name, bench->keys) ? bench->run() : 1;
	}
	pr_info("bench=%s%s; there are:\n", name, *name ? ": there is no such benchmark" : " needs a name");
	for (bench = __start_benches; bench < __stop_benches; bench++)
		pr_info("  %s\n", bench->name);
	return 1;
}

/* Overridden by tests/guest/report.c. No call site: a record would outlive the body. */
__weak notrace int run_tests(const char *list)
{
	pr_info("test=%s: this image has no tests, tests.elf has them\n", list);
	return 1;
}
