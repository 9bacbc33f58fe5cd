// SPDX-License-Identifier: MIT
/*
 * An array of keys with one branch each, made by hand: what the compiler would
 * leave for a thousand variables.
 */
#include "bench/many_keys.h"

#include "patch/static_key.h"

static struct static_key_false many_keys[NR_MANY_KEYS];

#define ONE(i)		case i: if (static_branch_unlikely(&many_keys[i])) taken++; break;
#define TEN(i)		ONE(i##0) ONE(i##1) ONE(i##2) ONE(i##3) ONE(i##4) \
			ONE(i##5) ONE(i##6) ONE(i##7) ONE(i##8) ONE(i##9)
#define HUNDRED(i)	TEN(i##0) TEN(i##1) TEN(i##2) TEN(i##3) TEN(i##4) \
			TEN(i##5) TEN(i##6) TEN(i##7) TEN(i##8) TEN(i##9)
#define TENS(t)		t(1) t(2) t(3) t(4) t(5) t(6) t(7) t(8) t(9)

noinline notrace unsigned int many_keys_taken(void)
{
	unsigned int taken = 0;

	for (unsigned int i = 0; i < NR_MANY_KEYS; i++) {
		switch (i) {
		TENS(ONE)
		TENS(TEN)
		TENS(HUNDRED)
		case 0:
			if (static_branch_unlikely(&many_keys[0]))
				taken++;
			break;
		}
	}
	return taken;
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
