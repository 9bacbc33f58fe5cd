// SPDX-License-Identifier: MIT
/*
 * For the ports' trampoline.c: code as it grows, and the tests in it by which calls are
 * left out. What happens then stands behind the code, so that nothing jumps over a call
 * that is made.
 */
#pragma once

#include "arch/trampoline.h"

/* A branch to where a call is left out. */
struct trampoline_test {
	size_t branch;
	size_t next;		/* code behind the call */
	unsigned long count;	/* address of what counts it */
};

struct trampoline_code {
	u8 *code;
	size_t at, room;	/* at may run beyond room: then nothing is written there */
	unsigned long address;
	size_t literals;	/* where the next one goes, behind the code; not on every ISA */
	int error;
	struct trampoline_test tests[TRAMPOLINE_MAX_TESTS];
	unsigned int nr_tests;
};

/* @n bytes to offset @at. */
void trampoline_put(struct trampoline_code *c, size_t at, const void *bytes, size_t n);

/* The same to c->at, which they move. */
void trampoline_emit(struct trampoline_code *c, const void *bytes, size_t n);

/* A word behind the code. Return: its offset. */
size_t trampoline_literal(struct trampoline_code *c, unsigned long value);

/* A test's branch stands at, or ends at, c->at. */
void trampoline_note_test(struct trampoline_code *c, unsigned long count);

/* The call ends here that the tests from @first on belong to. */
void trampoline_close_tests(struct trampoline_code *c, unsigned int first);

/* What arch_trampoline_generate() returns, @size bytes of code and literals. */
int trampoline_size(const struct trampoline_code *c, size_t size);

bool trampoline_only_counts(const struct trampoline_spec *spec);
