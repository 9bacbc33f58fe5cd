// SPDX-License-Identifier: MIT
/* Functions whose returns are hooked, and a user that counts. */
#include "tests/guest/fgraph_tracees.h"

notrace int fg_count_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	container_of(gops, struct fg_counter, graph)->entries++;
	return 1;
}

notrace void fg_count_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	container_of(gops, struct fg_counter, graph)->returns++;
}

void (*fg_hook)(void);

noinline unsigned long fg_c(unsigned long x)
{
	if (fg_hook)
		fg_hook();
	barrier();
	return x + 1;
}

noinline unsigned long fg_b(unsigned long x)
{
	x = fg_c(x);
	barrier();
	return x + 1;
}

noinline unsigned long fg_a(unsigned long x)
{
	x = fg_b(x);
	barrier();
	return x + 1;
}

noinline unsigned long fg_leaf(unsigned long x)
{
	return x + 7;
}

noinline unsigned long fg_deep(unsigned int depth)
{
	unsigned long below = depth ? fg_deep(depth - 1) : 0;

	barrier();
	return depth ? below + 1 : 0;
}

noinline u64 fg_wide(u64 x, u64 y)
{
	return x * 3 + y;
}

noinline struct fg_pair fg_two(unsigned long x)
{
	return (struct fg_pair){ ~x, x + 1 };
}

noinline struct fg_big fg_memory(unsigned long x)
{
	struct fg_big big;

	for (unsigned int i = 0; i < ARRAY_SIZE(big.word); i++)
		big.word[i] = x + i;
	return big;
}

noinline unsigned long fg_ten(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
			      unsigned long f, unsigned long g, unsigned long h, unsigned long i, unsigned long j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

noinline unsigned long fg_variadic(unsigned int nr, ...)
{
	unsigned long sum = 0;
	va_list args;

	va_start(args, nr);
	while (nr--)
		sum += va_arg(args, unsigned long);
	va_end(args);
	return sum;
}

/* Ten at a time, each jumps to the one before it in the file. */
#define TAIL(n, next) \
	static noinline unsigned long fg_tail_##n(unsigned long x) { return next(x + 1); }
#define TAILS(n, next) \
	TAIL(n##9, next) TAIL(n##8, fg_tail_##n##9) TAIL(n##7, fg_tail_##n##8) TAIL(n##6, fg_tail_##n##7) \
	TAIL(n##5, fg_tail_##n##6) TAIL(n##4, fg_tail_##n##5) TAIL(n##3, fg_tail_##n##4) \
	TAIL(n##2, fg_tail_##n##3) TAIL(n##1, fg_tail_##n##2) TAIL(n##0, fg_tail_##n##1)

static noinline unsigned long fg_tail_49(unsigned long x)
{
	if (fg_hook)
		fg_hook();
	barrier();
	return x + 1;
}
TAIL(48, fg_tail_49) TAIL(47, fg_tail_48) TAIL(46, fg_tail_47) TAIL(45, fg_tail_46)
TAIL(44, fg_tail_45) TAIL(43, fg_tail_44) TAIL(42, fg_tail_43) TAIL(41, fg_tail_42) TAIL(40, fg_tail_41)
TAILS(3, fg_tail_40)
TAILS(2, fg_tail_30)
TAILS(1, fg_tail_20)
TAILS(, fg_tail_10)

#define TEN(n) \
	fg_tail_##n##0, fg_tail_##n##1, fg_tail_##n##2, fg_tail_##n##3, fg_tail_##n##4, \
	fg_tail_##n##5, fg_tail_##n##6, fg_tail_##n##7, fg_tail_##n##8, fg_tail_##n##9
unsigned long (*const fg_tail[FG_TAILS])(unsigned long x) = { TEN(), TEN(1), TEN(2), TEN(3), TEN(4) };

noinline unsigned long fg_pong(unsigned long n)
{
	barrier();
	return n ? fg_ping(n - 1) : 42;
}

noinline unsigned long fg_ping(unsigned long n)
{
	barrier();
	return n ? fg_pong(n - 1) : 43;
}

#define MANY(n) static noinline unsigned long fg_many_##n(unsigned long x) { return x + n; }
MANY(0) MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7)
MANY(8) MANY(9) MANY(10) MANY(11) MANY(12) MANY(13) MANY(14) MANY(15)

unsigned long (*const fg_many[FG_MANY])(unsigned long x) = {
	fg_many_0, fg_many_1, fg_many_2, fg_many_3, fg_many_4, fg_many_5, fg_many_6, fg_many_7,
	fg_many_8, fg_many_9, fg_many_10, fg_many_11, fg_many_12, fg_many_13, fg_many_14, fg_many_15,
};
