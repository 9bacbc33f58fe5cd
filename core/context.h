// SPDX-License-Identifier: MIT
/*
 * Guard bits of the current context: one word a thread, which an interrupt puts
 * aside, clears and gives back. So each context has its own at any depth, a
 * traced interrupt inside a callback is traced, and a true recursion is seen.
 */
#pragma once

#include "base/types.h"
#include "base/host.h"
#include "core/quiesce.h"

/*
 * In an op with FTRACE_OPS_FL_RECURSION. It has the word's lowest byte to itself, which
 * is 0 or 1: generated code loads and stores that byte.
 */
#define RECURSION_OPS	(1ul << 0)

/*
 * Set a bit; false when it was set. Not atomic: who interrupts us between load and
 * store leaves the word as it was.
 */
static inline bool recursion_enter(struct trace_state *state, unsigned long bit)
{
	unsigned long word = READ_ONCE(state->recursion);

	if (unlikely(word & bit))
		return false;
	WRITE_ONCE(state->recursion, word | bit);
	barrier();
	return true;
}

static inline void recursion_exit(struct trace_state *state, unsigned long bit)
{
	barrier();
	WRITE_ONCE(state->recursion, READ_ONCE(state->recursion) & ~bit);
}

/* Does this context run below a trampoline, that is inside a callback? */
bool context_in_callback(void);

/* Does it run below code of this range? */
bool context_in_range(const struct address_range *range);
