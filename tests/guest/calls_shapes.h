// SPDX-License-Identifier: MIT
/* The bodies of struct call_shapes; SHAPES is the name of this set: shape_<SHAPES>_<function>. */
#pragma once

#include "tests/guest/calls.h"

#include <stdarg.h>

#define PASTE_(a, b)		shape_##a##_##b
#define PASTE(a, b)		PASTE_(a, b)
#define SHAPE(function)		PASTE(SHAPES, function)
#define NAME_(a)		#a
#define NAME(a)			NAME_(a)
#define OBJECT_(a)		call_shapes_##a
#define OBJECT(a)		OBJECT_(a)
#define FIXED			static noinline __attribute__((noclone))

FIXED unsigned long SHAPE(leaf)(unsigned long x)
{
	return x + 1;
}

FIXED unsigned long SHAPE(many)(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
				unsigned long e, unsigned long f, unsigned long g, unsigned long h,
				unsigned long i)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}

FIXED unsigned long SHAPE(variadic)(unsigned int n, ...)
{
	unsigned long sum = 0;
	va_list args;

	va_start(args, n);
	while (n--)
		sum += va_arg(args, unsigned long);
	va_end(args);
	return sum;
}

FIXED u64 SHAPE(wide)(int a, u64 b, int c, u64 d)
{
	return (u64)(s64)a - b + (u64)(s64)c * d;
}

FIXED struct call_pair SHAPE(pair)(unsigned long a, unsigned long b)
{
	return (struct call_pair){ a + b, a - b };
}

FIXED struct call_block SHAPE(block)(unsigned long a, struct call_block by_value)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(by_value.word); i++)
		by_value.word[i] += a;
	return by_value;
}

FIXED unsigned long SHAPE(tail_3)(unsigned long x)
{
	barrier();
	return x + 3;
}

FIXED unsigned long SHAPE(tail_2)(unsigned long x)
{
	barrier();
	return SHAPE(tail_3)(x + 2);
}

FIXED unsigned long SHAPE(tail)(unsigned long x)
{
	barrier();
	return SHAPE(tail_2)(x + 1);
}

FIXED unsigned long SHAPE(deep)(unsigned long n)
{
	unsigned long sum = n ? SHAPE(deep)(n - 1) : 0;

	barrier();
	return sum + n;
}

const struct call_shapes OBJECT(SHAPES) = {
	.name = NAME(SHAPES),
	.leaf = SHAPE(leaf),
	.many = SHAPE(many),
	.variadic = SHAPE(variadic),
	.wide = SHAPE(wide),
	.pair = SHAPE(pair),
	.block = SHAPE(block),
	.tail = SHAPE(tail),
	.deep = SHAPE(deep),
};
