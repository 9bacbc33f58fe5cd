// SPDX-License-Identifier: MIT
/* The C library in threads: memory, text, and an errno for each thread. */
#include "tests/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define BLOCKS	40
#define PASSES	20

static int malloc_storm(void *arg)
{
	char *blocks[BLOCKS] = { NULL };
	int seed = *(int *)arg, wrong = 0;

	for (unsigned int i = 0; i < BLOCKS * PASSES; i++) {
		unsigned int k = (i * 7 + seed) % BLOCKS;
		size_t size = 1 + (i * 37 + seed * 11) % 700;

		if (blocks[k])
			wrong += blocks[k][0] != (char)(k + seed);
		free(blocks[k]);
		blocks[k] = malloc(size);
		if (!blocks[k])
			return wrong + 1;
		memset(blocks[k], k + seed, size);
		if (i % 8 == 0)
			thread_yield();
	}
	for (unsigned int k = 0; k < BLOCKS; k++)
		free(blocks[k]);
	return wrong;
}

DEFINE_TEST(libc_malloc)
{
	struct thread *threads[4];
	int seeds[4] = { 1, 2, 3, 4 }, wrong = 0;

	for (unsigned int i = 0; i < 4; i++)
		threads[i] = thread_create("malloc", malloc_storm, &seeds[i], THREAD_ANY_CPU);
	for (unsigned int i = 0; i < 4; i++)
		wrong += thread_join(threads[i]);
	report(wrong == 0, "four threads: blocks are not shared (%d wrong)", wrong);
}

DEFINE_TEST(libc_no_memory)
{
	void *p;

	errno = 0;
	p = malloc(1ul << 30);
	report(!p && errno == ENOMEM, "too much: NULL and ENOMEM (%d)", errno);
	p = malloc(1000);
	report(p, "and less can be had after that");
	free(p);
}

static int keep_errno(void *arg)
{
	int mine = *(int *)arg, wrong = 0;

	for (unsigned int i = 0; i < 40; i++) {
		errno = mine;
		thread_yield();
		wrong += errno != mine;
	}
	return wrong;
}

DEFINE_TEST(libc_errno)
{
	struct thread *threads[6];
	int values[6] = { 11, 22, 33, 44, 55, 66 }, wrong = 0;

	errno = 77;
	for (unsigned int i = 0; i < 6; i++)
		threads[i] = thread_create("errno", keep_errno, &values[i],
					   i < smp_online() ? i : THREAD_ANY_CPU);
	for (unsigned int i = 0; i < 6; i++)
		wrong += thread_join(threads[i]);
	report(wrong == 0, "each thread has its own errno (%d wrong)", wrong);
	report(errno == 77, "and ours is untouched");
	errno = 0;
	report(write(9, "x", 1) == -1 && errno == EBADF, "a bad descriptor: EBADF (%d)", errno);
}

static int print_line(void *arg)
{
	for (unsigned int i = 0; i < 5; i++) {
		printf("printed by thread %d, line %u\n", *(int *)arg, i);
		thread_yield();
	}
	printf("no newline from thread %d", *(int *)arg);
	return 0;
}

/* tests.cfg looks for the lines. */
DEFINE_TEST(libc_printf)
{
	struct thread *threads[3];
	int ids[3] = { 1, 2, 3 };
	char text[64];

	for (unsigned int i = 0; i < 3; i++)
		threads[i] = thread_create("printf", print_line, &ids[i], THREAD_ANY_CPU);
	for (unsigned int i = 0; i < 3; i++)
		thread_join(threads[i]);
	snprintf(text, sizeof(text), "%5d|%-5s|%#x|%lld", 42, "ab", 255, 1234567890123ll);
	report(strcmp(text, "   42|ab   |0xff|1234567890123") == 0, "snprintf: %s", text);
	report(strtol("0x7f", NULL, 0) == 127, "strtol");
}
