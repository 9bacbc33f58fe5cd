// SPDX-License-Identifier: MIT
/*
 * More is typed than the console keeps while nobody reads: what came first stays,
 * in order, what came later is dropped, and every dropped byte is counted.
 */
#include "tests/test.h"

#include "base/print.h"
#include "kernel/cmdline.h"
#include "kernel/console.h"
#include "kernel/thread.h"

#define WAIT_MS		200
#define MOST_WAITS	100

/* What tests.cfg lets the runner type: 0000 0001 0002 ... */
static char typed(unsigned int i)
{
	unsigned int number = i / 5;
	static const unsigned int digits[] = { 1000, 100, 10, 1 };

	return i % 5 == 4 ? ' ' : '0' + number / digits[i % 5] % 10;
}

DEFINE_TEST(console_overflow)
{
	unsigned int bytes = cmdline_number("typed", 400, 1, 100000), kept = 0, wrong = 0, waited = 0;
	int c;

	pr_info("nobody reads\n");
	/* As long as bytes come, the count of dropped ones rises. */
	for (unsigned long last = 0; waited < MOST_WAITS; waited++) {
		thread_sleep_ms(WAIT_MS);
		if (last && console_overruns() == last)
			break;
		last = console_overruns();
	}
	while ((c = console_getc()) >= 0)
		wrong += c != typed(kept++);
	report(!wrong && kept, "the first %u bytes are kept, %u wrong", kept, wrong);
	report(console_overruns() && kept + console_overruns() == bytes, "%lu dropped and counted, of %u",
	       console_overruns(), bytes);
	report(console_getc() < 0, "nothing is left");
}
