// SPDX-License-Identifier: MIT
/*
 * An array of keys with one branch each, made by hand: what the compiler would
 * leave for a thousand variables.
 */
#include "bench/many_keys.h"

#include "patch/static_key.h"

static struct static_key_false many_keys[NR_MANY_KEYS];

/* Keys 0 .. 999 by the names 1000 .. 1999: a number that begins with 0 would be octal. */
#define ONE(i)		taken += static_branch_unlikely(&many_keys[i - 1000]);
#define TEN(i)		ONE(i##0) ONE(i##1) ONE(i##2) ONE(i##3) ONE(i##4) \
			ONE(i##5) ONE(i##6) ONE(i##7) ONE(i##8) ONE(i##9)
#define HUNDRED(i) \
	static noinline notrace unsigned int taken_##i(void) \
	{ \
		unsigned int taken = 0; \
		TEN(i##0) TEN(i##1) TEN(i##2) TEN(i##3) TEN(i##4) \
		TEN(i##5) TEN(i##6) TEN(i##7) TEN(i##8) TEN(i##9) \
		return taken; \
	}

HUNDRED(10)
HUNDRED(11)
HUNDRED(12)
HUNDRED(13)
HUNDRED(14)
HUNDRED(15)
HUNDRED(16)
HUNDRED(17)
HUNDRED(18)
HUNDRED(19)

unsigned int many_keys_taken(void)
{
	return taken_10() + taken_11() + taken_12() + taken_13() + taken_14() +
	       taken_15() + taken_16() + taken_17() + taken_18() + taken_19();
}

int many_keys_flip(unsigned int nr, int delta)
{
	int err = static_key_begin();

	if (err)
		return err;
	for (unsigned int i = 0; i < nr && !err; i++)
		err = static_key_queue(&many_keys[i].key, delta);
	if (!err)
		return static_key_commit();
	static_key_abort();
	return err;
}
