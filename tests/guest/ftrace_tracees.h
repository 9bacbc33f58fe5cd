// SPDX-License-Identifier: MIT
/* Functions to hook, in a file of their own so that no compiler sees through them. */
#pragma once

#define NR_FT_TRACEES	4

/* Function i returns x + i. */
unsigned long ft_tracee_0(unsigned long x);
unsigned long ft_tracee_1(unsigned long x);
unsigned long ft_tracee_2(unsigned long x);
unsigned long ft_tracee_3(unsigned long x);

typedef unsigned long (*ft_tracee_t)(unsigned long x);
extern const ft_tracee_t ft_tracees[NR_FT_TRACEES];

/* Has no site. Returns x + 100. */
unsigned long ft_hidden(unsigned long x);

/* Ten arguments, some on the stack; returns a + 2b + 3c + ... + 10j. */
unsigned long ft_arguments(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			   unsigned long e, unsigned long f, unsigned long g, unsigned long h,
			   unsigned long i, unsigned long j);

/* A chain: outer calls middle calls inner, none of them by a jump. */
unsigned long ft_outer(unsigned long x);
unsigned long ft_middle(unsigned long x);
unsigned long ft_inner(unsigned long x);
