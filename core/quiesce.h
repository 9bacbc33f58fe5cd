// SPDX-License-Identifier: MIT
/*
 * Waiting until nobody is inside what retires, at no cost to the hot path.
 *
 * A context is inside when its pc, a register or any word of its live stack
 * lies in one of the ranges: a conservative scan. One round looks at what each
 * CPU interrupted, then the host names every suspended context; repeated until
 * none is inside. The caller's own context is not scanned.
 */
#pragma once

#include "base/types.h"

struct address_range {
	unsigned long start, end;	/* [start, end) */
};

/**
 * quiesce() - wait until no context is in any range
 * @ranges: trampoline text, the set object, text of a leaf op ...
 * @nr: how many
 *
 * Sites no longer lead there. Thread context, interrupts on.
 */
void quiesce(const struct address_range *ranges, unsigned int nr);

struct quiesce_stats {
	unsigned long calls, rounds, retries;
};
void quiesce_stats(struct quiesce_stats *stats);
