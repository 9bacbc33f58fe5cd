// SPDX-License-Identifier: MIT
/*
 * More is typed than the console keeps while nobody reads: the UART keeps the rest, and
 * whoever sends, so that all of it comes, in order.
 */
#include "tests/test.h"

#include "base/print.h"
#include "kernel/cmdline.h"
#include "kernel/console.h"
#include "kernel/thread.h"

#define UNREAD_MS	500
#define WAIT_MS		10
#define MOST_WAITS	1000

/* What tests.cfg lets the runner type: 0000 0001 0002 ... and Enter in place of the last space. */
static char typed(unsigned int i, unsigned int bytes)
{
	unsigned int number = i / 5;
	static const unsigned int digits[] = { 1000, 100, 10, 1 };

	if (i + 1 == bytes)
		return '\r';
	return i % 5 == 4 ? ' ' : '0' + number / digits[i % 5] % 10;
}

DEFINE_TEST(console_unread)
{
	unsigned int bytes = cmdline_number("typed", 400, 1, 100000), kept = 0, wrong = 0;
	int c;

	pr_info("nobody reads\n");
	thread_sleep_ms(UNREAD_MS);
	for (unsigned int waits = 0; kept < bytes && waits < MOST_WAITS; waits++) {
		while ((c = console_getc()) >= 0)
			wrong += c != typed(kept++, bytes);
		thread_sleep_ms(WAIT_MS);
	}
	report(!wrong && kept == bytes, "%u of %u bytes have come, %u wrong", kept, bytes, wrong);
	report(!console_overruns(), "%lu times the UART lost some", console_overruns());
	report(console_getc() < 0, "nothing is left");
}
