// SPDX-License-Identifier: MIT
/* Functions whose returns are hooked, and a user that counts. */
#pragma once

#include "core/fgraph.h"

struct fg_counter {
	struct fgraph_ops graph;
	unsigned long entries, returns;
};

/* Handlers of it, not traced. */
int fg_count_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs);
void fg_count_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops);

/* fg_a(x) = fg_b(x) + 1 = fg_c(x) + 2 = x + 3; fg_c calls fg_hook in its middle. */
unsigned long fg_a(unsigned long x);
unsigned long fg_b(unsigned long x);
unsigned long fg_c(unsigned long x);
extern void (*fg_hook)(void);

unsigned long fg_leaf(unsigned long x);		/* x + 7 */
unsigned long fg_deep(unsigned int depth);	/* calls itself; returns depth */

/* Results and arguments of all kinds. */
struct fg_pair { unsigned long a, b; };
struct fg_big { unsigned long word[8]; };
u64 fg_wide(u64 x, u64 y);			/* x * 3 + y */
struct fg_pair fg_two(unsigned long x);		/* { ~x, x + 1 } */
struct fg_big fg_memory(unsigned long x);	/* word[i] = x + i */
unsigned long fg_ten(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
		     unsigned long f, unsigned long g, unsigned long h, unsigned long i, unsigned long j);
unsigned long fg_variadic(unsigned int nr, ...);	/* sum of nr longs */

/* fg_tail[0] jumps to fg_tail[1] and so on; the last one returns x + FG_TAILS. */
#define FG_TAILS	50
extern unsigned long (*const fg_tail[FG_TAILS])(unsigned long x);

/* They jump to each other n times. */
unsigned long fg_ping(unsigned long n);
unsigned long fg_pong(unsigned long n);

/* 16 functions for filters: fg_many[i](x) = x + i. */
#define FG_MANY		16
extern unsigned long (*const fg_many[FG_MANY])(unsigned long x);
