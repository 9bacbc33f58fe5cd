// SPDX-License-Identifier: MIT
/*
 * Atomic: the whole instruction by one aligned store under running CPUs, then
 * one round. A CPU fetches the old instruction or the new one.
 *
 * That rests on what processors do, not on what their manuals promise for
 * code that is modified while another CPU runs it; so it is never the default.
 * Instructions that cross the unit of an atomic store go by breakpoint in the
 * same batch, whose three rounds then serve all.
 */
#include "patch/method.h"

/* In the first step whatever fits; the others take all three. */
static void write_part(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	for (; poke < end; poke++) {
		if (arch_text_crosses(poke->addr, poke->len))
			arch_text_write_part(poke, poke + 1, part);
		else if (part == TEXT_PART_BREAKPOINT)
			arch_text_write_atomic(poke->addr, poke->new, poke->len);
	}
}

static const struct text_writer writer = { .pokes = write_part };

static bool can_write(const struct text_poke *poke)
{
	return !arch_text_crosses(poke->addr, poke->len) || text_poke_can_emulate(poke);
}

static void commit(const struct text_poke_batch *batch)
{
	if (text_poke_count_crossing(batch)) {
		text_poke_by_breakpoints(batch, &writer);
		return;
	}
	text_poke_each_slice(batch, &writer, TEXT_PART_BREAKPOINT);
	text_poke_sync();
	text_poke_touch(batch);
}

const struct text_poke_method text_poke_atomic = {
	.name = "atomic",
	.can_write = can_write,
	.commit = commit,
};
