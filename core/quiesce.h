// SPDX-License-Identifier: MIT
/*
 * Waiting until nobody is inside what retires, at no cost to the hot path.
 *
 * A context is inside when its pc, a return address in a register or on its shadow stack,
 * or any word of its live stack lies in one of the ranges, or its pc in a registered leaf: a
 * conservative scan. The first byte of a range is where it is called, and no return address:
 * it counts only as a pc. One round is one picture of all contexts: each CPU looks at what
 * the round interrupted on it and stays, while the caller's CPU looks at every suspended
 * one. (Two looks, one after the other, would miss a thread that moves from the second kind
 * to the first in between.) Rounds go on until each context that was inside in the first
 * has been seen outside: so it also ends where contexts enter all the time, as in a walker
 * that stays. (More than 64 go in several passes, by the addresses of their stacks.) The
 * caller's own context is not scanned; one that switched away by itself is outside.
 */
#pragma once

#include "base/types.h"

struct address_range {
	unsigned long start, end;	/* [start, end) */
};

/* The function, or the block of generated code, that @addr lies in. Return: false when it is no code. */
bool address_range_of(unsigned long addr, struct address_range *range);

/**
 * quiesce() - wait until no context is in any range
 * @ranges: of code, each from where it is called on: trampolines, the text of a leaf
 *	    op ...; without overlaps, but one may be there twice; sorted here
 * @nr: how many
 *
 * Sites no longer lead there, or lead there without finding what retires. Thread
 * context, interrupts on, under ftrace_mutex, or before other CPUs and threads run.
 */
void quiesce(struct address_range *ranges, unsigned int nr);

struct quiesce_stats {
	unsigned long calls;		/* of quiesce() with something to wait for */
	unsigned long rounds;		/* host_on_each_cpu() with HOST_ROUND_QUIESCE */
	unsigned long retries;		/* rounds after the first of a call */
	unsigned long most_rounds;	/* of one call */
	u64 longest;			/* of one call, in host_clock() ticks */
};
void quiesce_stats(struct quiesce_stats *stats);
