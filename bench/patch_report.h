// SPDX-License-Identifier: MIT
/* What the patch benchmark counts, and how it tells it. */
#pragma once

#include "base/types.h"

struct patch_method {
	const char *name;
	unsigned int rounds;	/* of one batch, at most */
	int completion;		/* nosync's; -1: no such choice */
};

struct patch_row {
	const struct patch_method *method;
	unsigned int nr_sites, limit, crossing;
	unsigned int spread;	/* of functions that follow one another, every so many-th */
	bool busy;
};

/* Everything that is counted, at one moment. */
struct patch_counters {
	unsigned long rounds, rounds_code, rounds_quiesce, ipis, traps, late_traps, crossing, cache_ops;
	u64 ticks;
};

struct patch_counters patch_counters(void);
struct patch_counters patch_counters_since(const struct patch_counters *start);

/* The row's name, before it is run. */
void patch_print_row(const struct patch_row *row);

/* One line of an interrupts table: calls that each CPU took, as they stand now. */
void patch_print_calls(const char *state);

/* What a switch of the row took: text and figures. @op: "enable" or "disable" */
void patch_put_counters(const struct patch_row *row, const char *op, const struct patch_counters *c);

/* One figure of it. */
void patch_put(const struct patch_row *row, const char *op, const char *metric, const char *unit, u64 hundredth_parts);
