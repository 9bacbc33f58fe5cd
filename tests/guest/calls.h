// SPDX-License-Identifier: MIT
/*
 * Functions of every shape that a calling convention has. The same source is
 * compiled several times with other options (tests.mk), each a struct call_shapes.
 */
#pragma once

#include "base/types.h"

struct call_pair {
	unsigned long a, b;		/* comes back in registers, or in memory where they do not hold it */
};

struct call_block {
	unsigned long word[6];		/* comes back in memory: its address is a hidden argument */
};

struct call_shapes {
	const char *name;
	unsigned long (*leaf)(unsigned long x);				/* x + 1 */
	unsigned long (*many)(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			      unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			      unsigned long i);				/* a + 2b + ... + 9i */
	unsigned long (*variadic)(unsigned int n, ...);			/* sum of n longs */
	u64 (*wide)(int a, u64 b, int c, u64 d);			/* a - b + c * d */
	struct call_pair (*pair)(unsigned long a, unsigned long b);	/* { a + b, a - b } */
	struct call_block (*block)(unsigned long a, struct call_block by_value); /* each word + a */
	unsigned long (*tail)(unsigned long x);		/* x + 6, by two jumps: three calls */
	unsigned long (*deep)(unsigned long n);		/* sum 1 .. n, n + 1 calls */
};

#define CALL_DEPTH	5
#define CALLS_A_PASS	(1 + 1 + 2 + 1 + 1 + 1 + 3 + (CALL_DEPTH + 1))

extern const struct call_shapes call_shapes_plain, call_shapes_size, call_shapes_frames;

/**
 * calls_pass() - call each function of a set and look at what comes back
 * @shapes: which set
 * @x: arguments are made from it
 *
 * Return: how many results were wrong. calls_pass_thumb(): the same, called from Thumb code.
 */
unsigned int calls_pass(const struct call_shapes *shapes, unsigned long x);
unsigned int calls_pass_thumb(const struct call_shapes *shapes, unsigned long x);

/* What hooks the functions: ops, and users of the function graph, who are alone, several or beside ops. */
struct calls_hooks {
	unsigned int nr, flags, users;
};

#define CALLS_MAX_OPS	3
#define CALLS_HOOKS { \
	{ 0, 0, 0 }, { 1, 0, 0 }, { 1, FTRACE_OPS_FL_SAVE_REGS, 0 }, { CALLS_MAX_OPS, 0, 0 }, \
	{ 2, FTRACE_OPS_FL_ALL, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, { 1, FTRACE_OPS_FL_SAVE_REGS, 1 }, \
}

/**
 * calls_graph_on() - hook entries and returns of some functions
 * @nr: users of the function graph, at most CALLS_MAX_USERS
 * @filter: names of the functions
 *
 * Return: false when one does not register. calls_graph_off(): all leave; how many saw
 * another number of entries or returns than @calls.
 */
#define CALLS_MAX_USERS	2
bool calls_graph_on(unsigned int nr, const char *filter);
unsigned int calls_graph_off(unsigned int nr, unsigned long calls);

struct ftrace_ops;
struct ftrace_regs;

/* An op that copies memory and counts in an unsigned long behind op->private. */
void calls_copy(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs);
