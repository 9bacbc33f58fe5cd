// SPDX-License-Identifier: MIT
/* What happens when one of our own invariants is broken. */
#include "base/bug.h"
#include "base/host.h"
#include "base/print.h"

unsigned int warn_count;

void bug_at(const char *file, int line, const char *what)
{
	char message[160];

	format(message, sizeof(message), "BUG at %s:%d: %s", file, line, what);
	host_panic(NULL, message);
}

void warn_at(const char *file, int line, const char *what)
{
	warn_count++;
	pr_info("WARNING at %s:%d: %s\n", file, line, what);
}
