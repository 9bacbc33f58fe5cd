// SPDX-License-Identifier: MIT
/*
 * Checks, counts, and the run of the tests that the command line names.
 *
 * A check may come from any CPU and thread, not from an NMI. Its line is
 * written at once, so lines never mix.
 */
#include "tests/test.h"

#include "base/bug.h"
#include "base/print.h"
#include "base/string.h"
#include "kernel/cmdline.h"
#include "kernel/lock.h"
#include "kernel/registry.h"

#define MAX_PREFIXES	8
#define LINE_BYTES	256

extern const struct test __start_tests[], __stop_tests[];

static struct spinlock lock;
static unsigned int nr_checks, nr_failures, nr_skipped;
static const char *prefixes[MAX_PREFIXES];
static unsigned int nr_prefixes;

static void line(const char *verdict, const char *fmt, va_list ap)
{
	char text[LINE_BYTES];
	size_t n = format(text, sizeof(text), "%s: ", verdict);

	for (unsigned int i = 0; i < nr_prefixes; i++)
		n += format(text + n, sizeof(text) - n, "%s: ", prefixes[i]);
	vformat(text + n, sizeof(text) - n, fmt, ap);
	pr_info("%s\n", text);
}

static void count(unsigned int *counter)
{
	unsigned long flags = spin_lock(&lock);

	nr_checks++;
	if (counter)
		(*counter)++;
	spin_unlock(&lock, flags);
}

void report(bool cond, const char *fmt, ...)
{
	va_list ap;

	count(cond ? NULL : &nr_failures);
	va_start(ap, fmt);
	line(cond ? "PASS" : "FAIL", fmt, ap);
	va_end(ap);
}

void report_skip(const char *fmt, ...)
{
	va_list ap;

	count(&nr_skipped);
	va_start(ap, fmt);
	line("SKIP", fmt, ap);
	va_end(ap);
}

void report_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line("INFO", fmt, ap);
	va_end(ap);
}

void report_prefix_push(const char *prefix)
{
	BUG_ON(nr_prefixes == MAX_PREFIXES);
	prefixes[nr_prefixes++] = prefix;
}

void report_prefix_pop(void)
{
	BUG_ON(nr_prefixes == 0);
	nr_prefixes--;
}

/* A test that checks nothing has not tested anything. */
static void run(const struct test *test)
{
	unsigned int before = nr_checks;

	report_prefix_push(test->name);
	test->run();
	if (nr_checks == before)
		report(false, "made no check");
	report_prefix_pop();
}

/* Return: how many tests bear this name. */
static unsigned int run_named(const char *name)
{
	unsigned int found = 0;

	for (const struct test *test = __start_tests; test < __stop_tests; test++) {
		if (strcmp(test->name, name))
			continue;
		run(test);
		found++;
	}
	return found;
}

static void run_all(void)
{
	for (const struct test *test = __start_tests; test < __stop_tests; test++)
		run(test);
}

static void run_list(const char *list)
{
	const char *end;
	char name[64];

	for (; *list; list = *end ? end + 1 : end) {
		end = strchr(list, ',');
		if (!end)
			end = list + strlen(list);
		format(name, min((size_t)(end - list) + 1, sizeof(name)), "%s", list);
		if (!run_named(name))
			report(false, "no test is named '%s'", name);
	}
}

int run_tests(const char *list)
{
	if (strcmp(list, "all") == 0)
		run_all();
	else
		run_list(list);
	cmdline_report_unused();
	if (warn_count)
		report(false, "%u warnings", warn_count);
	pr_info("SUMMARY: %u tests, %u failures, %u skipped\n", nr_checks, nr_failures, nr_skipped);
	return nr_failures ? 1 : 0;
}
