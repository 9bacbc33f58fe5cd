// SPDX-License-Identifier: MIT
/* One function of each kind that compilers treat in a way of its own. */
#define noinline __attribute__((noinline))

int table[64];

/* Reached by a pointer: gets a landing pad where there are such. */
noinline int plain(int x)
{
	return x + 1;
}

int (*const pointer)(int) = plain;

/* Not a leaf. */
int caller(int x)
{
	return plain(x) + plain(x + 1);
}

/* Only called by its name. */
static noinline int local(int x)
{
	table[x & 63]++;
	return table[x & 31];
}

int local_caller(int x)
{
	return local(x) + 1;
}

/* Clones for constant arguments, and the part that is hardly ever run, apart. */
static noinline __attribute__((cold)) void rare(int x)
{
	table[x & 63] = x;
}

static noinline int cloned(int x, int mode)
{
	for (int i = 0; i < mode; i++) {
		if (__builtin_expect(x > 1000000, 0))
			rare(x);
		table[(x + i) & 63] += mode;
		x += table[x & 63] * mode;
	}
	return x;
}

int clone_caller(int x)
{
	return cloned(x, 3) + cloned(x + 1, 3) + cloned(x + 2, 3) + cloned(x, x & 7);
}

/* Its inner function gets the way to x in a register that no ordinary call uses. */
int nested(int x)
{
	noinline int inner(int y)
	{
		x++;
		return x + y;
	}

	return inner(x) + x;
}

/* The two attributes that it takes to have no site with every compiler. */
__attribute__((no_instrument_function, patchable_function_entry(0, 0))) noinline int hidden(int x)
{
	return x + 2;
}

/* A weak body that a strong one may replace. */
__attribute__((weak)) noinline int weak(int x)
{
	return x + 3;
}

__attribute__((cold)) noinline int cold(int x)
{
	return x + 4;
}
