// SPDX-License-Identifier: MIT
/* One check of a generated trampoline with the probe, for guest and host. */
#pragma once

#include "base/types.h"
#include "arch/arch.h"

struct trampoline_case {
	const char *name;
	unsigned int nr_calls;
	unsigned int flags;		/* TRAMPOLINE_* */
	bool write_back;		/* the op changes registers, which the function must see */
	unsigned int call_flags;	/* TRAMPOLINE_CALL_*, of every op */
	unsigned int more;		/* MORE_* */
};

#define MORE_LEAVES	1u		/* a leaf before each op, and one behind */
#define MORE_COUNTS	2u		/* likewise a counter */
#define MORE_DIRECT	4u		/* ends with a jump to a direct trampoline */
#define MORE_AWAY	8u		/* the last op lets another function go on */

/* Ops with a guard or a test shall be left out in the next run. */
extern bool trampoline_left_out;

/* Where the running case leads: behind the site, until an op says something else. */
extern unsigned long trampoline_goes_on;

#define TRAMPOLINE_MAX_CALLS	256

extern const struct trampoline_case trampoline_cases[];
extern const unsigned int nr_trampoline_cases;

/* The calls of a case: probe_op with arguments that tell their order. */
void trampoline_case_spec(const struct trampoline_case *c, struct trampoline_spec *spec);

/* Run it at @at, flags @more set in the function's. Return: NULL or what was wrong. */
const char *trampoline_case_run(const struct trampoline_case *c, unsigned long at, unsigned long more);
