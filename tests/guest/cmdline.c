// SPDX-License-Identifier: MIT
/* The command line of tests.cfg's [cmdline], taken apart. */
#include "tests/test.h"

#include "base/string.h"
#include "kernel/cmdline.h"

static bool is(const char *key, const char *value)
{
	const char *got = cmdline_get(key, "(absent)");

	if (strcmp(got, value) == 0)
		return true;
	report_info("%s is '%s'", key, got);
	return false;
}

DEFINE_TEST(cmdline)
{
	if (!cmdline_get("word", NULL)) {
		report_skip("needs its own command line");
		return;
	}
	report(is("word", "plain"), "a word");
	report(is("two", "two words"), "double quotes");
	report(is("single", "it is \"quoted\""), "single quotes around double ones");
	report(is("inside", "a b=c d"), "quotes inside a word");
	report(is("empty", "") && is("flag", ""), "no value");
	report(is("last", "2"), "the last of a key counts");
	report(is("absent", "(absent)"), "a key that is not there");
	report(cmdline_get("absent", NULL) == NULL, "and no fallback");
	report(is("unclosed", "(absent)"), "a quote that is not closed makes no word");
	report(cmdline_number("decimal", 0, 0, 100) == 42, "a decimal number");
	report(cmdline_number("hex", 0, 0, 0xffff) == 0xbeef, "a hexadecimal number");
	report(cmdline_number("absent", 7, 0, 100) == 7, "an absent number");
	report(cmdline_report_unused() == 1, "one key that nobody asked for is reported");
	report(cmdline_get("nobody", NULL) != NULL && cmdline_report_unused() == 0, "and then is not");
}

/* Ends the guest when the number is bad. */
DEFINE_TEST(cmdline_number)
{
	cmdline_number("number", 5, 1, 10);
	report(true, "accepted");
}
