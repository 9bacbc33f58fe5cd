// SPDX-License-Identifier: MIT
/* Floating point through the C library. (This file may use the FPU.) */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/thread.h"

static int format_many(void *arg)
{
	double value = *(double *)arg;
	char expected[32], text[32];
	int wrong = 0;

	snprintf(expected, sizeof(expected), "%.6f", value);
	for (unsigned int i = 0; i < 60; i++) {
		snprintf(text, sizeof(text), "%.6f", strtod(expected, NULL));
		wrong += strcmp(text, expected) != 0;
		if (i % 16 == 0)
			thread_yield();
	}
	return wrong;
}

DEFINE_TEST(libc_fp)
{
	double values[3] = { 3.141593, -2.718282, 1e6 + 0.125 };
	struct thread *threads[3];
	char text[32];
	int wrong = 0;

	snprintf(text, sizeof(text), "%.3f %g", 3.14159, 1e-9);
	report(strcmp(text, "3.142 1e-09") == 0, "%%f and %%g: %s", text);
	for (unsigned int i = 0; i < 3; i++)
		threads[i] = thread_create("format", format_many, &values[i], 0);
	for (unsigned int i = 0; i < 3; i++)
		wrong += thread_join(threads[i]);
	report(wrong == 0, "three threads on one CPU format and read back (%d wrong)", wrong);
}
