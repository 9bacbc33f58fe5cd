// SPDX-License-Identifier: MIT
/* The caller of tests/guest/calls.h; PASS is the name of the function that is made. */
#pragma once

#include "tests/guest/calls.h"

static unsigned int wrong_block(const struct call_shapes *s, unsigned long x)
{
	const struct call_block in = { { x, x + 1, x + 2, x + 3, x + 4, x + 5 } };
	struct call_block out = s->block(x, in);
	unsigned int wrong = 0;

	for (unsigned long i = 0; i < ARRAY_SIZE(out.word); i++)
		wrong |= out.word[i] != 2 * x + i;
	return wrong;
}

unsigned int PASS(const struct call_shapes *s, unsigned long x);

unsigned int PASS(const struct call_shapes *s, unsigned long x)
{
	struct call_pair pair = s->pair(x, 3);
	unsigned int wrong = 0;

	wrong += s->leaf(x) != x + 1;
	wrong += s->many(x, 2, 3, 4, 5, 6, 7, 8, x) != 10 * x + 203;
	wrong += s->variadic(0) != 0;
	wrong += s->variadic(9, x, x, x, x, x, x, x, x, 1ul) != 8 * x + 1;
	wrong += s->wide(-5, 0x123456789abcull, 7, 0x1000000000ull) != 0x7000000000ull - 0x123456789abcull - 5;
	wrong += pair.a != x + 3 || pair.b != x - 3;
	wrong += wrong_block(s, x);
	wrong += s->tail(x) != x + 6;
	wrong += s->deep(CALL_DEPTH) != CALL_DEPTH * (CALL_DEPTH + 1) / 2;
	return wrong;
}
