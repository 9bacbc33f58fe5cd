// SPDX-License-Identifier: MIT
/* Trampolines as they are generated: what does not depend on the instruction set. */
#include "arch/trampoline_code.h"

#include "base/errno.h"
#include "base/string.h"

#define MAX_OFFSET	0xffffu	/* in struct trampoline_frame */

void trampoline_put(struct trampoline_code *c, size_t at, const void *bytes, size_t n)
{
	if (at + n <= c->room)
		memcpy(c->code + at, bytes, n);
}

void trampoline_emit(struct trampoline_code *c, const void *bytes, size_t n)
{
	trampoline_put(c, c->at, bytes, n);
	c->at += n;
}

size_t trampoline_literal(struct trampoline_code *c, unsigned long value)
{
	size_t at = c->literals;

	trampoline_put(c, at, &value, sizeof(value));
	c->literals += sizeof(value);
	return at;
}

void trampoline_note_test(struct trampoline_code *c, unsigned long count)
{
	if (c->nr_tests < ARRAY_SIZE(c->tests))
		c->tests[c->nr_tests++] = (struct trampoline_test){ .branch = c->at, .count = count };
	else if (!c->error)
		c->error = -ENOSPC;
}

void trampoline_close_tests(struct trampoline_code *c, unsigned int first)
{
	for (; first < c->nr_tests; first++)
		c->tests[first].next = c->at;
}

int trampoline_size(const struct trampoline_code *c, size_t size)
{
	if (c->error)
		return c->error;
	return size > c->room || c->at > MAX_OFFSET ? -ENOSPC : (int)size;
}

bool trampoline_only_counts(const struct trampoline_spec *spec)
{
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		if (!(spec->calls[i].flags & TRAMPOLINE_CALL_COUNT))
			return false;
	return true;
}
