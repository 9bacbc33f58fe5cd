// SPDX-License-Identifier: MIT
/*
 * One store an instruction, and nobody stops: where the architecture allows old
 * and new to be exchanged under running CPUs (arch_insn_swappable()), each CPU
 * runs one or the other. The store is broadcast by the cache upkeep; one round
 * at the end makes sure that all CPUs run the new one when the batch returns.
 *
 * Changes that may not be exchanged like this are written in that same round,
 * with all CPUs parked: one round either way.
 */
#include "patch/method.h"

static bool is_swappable(const struct text_poke *poke)
{
	return poke->len == ARCH_INSN_BYTES && !arch_text_crosses(poke->addr, poke->len) &&
	       arch_insn_swappable(poke->old) && arch_insn_swappable(poke->new);
}

static void write_if(bool swappable, const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		if (is_swappable(poke) == swappable)
			arch_text_write_part(poke, poke + 1, TEXT_PART_WHOLE);
}

static void write_swappable(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	write_if(true, poke, end);
}

static void write_others(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	write_if(false, poke, end);
}

static void no_sites(const struct site_span *span, const struct site_span *last, enum text_part part)
{
}

/* Sites are swappable: arch_site_pokes() says so. */
static const struct text_writer swappable = { .pokes = write_swappable, .sites = arch_sites_write };
static const struct text_writer others = { .pokes = write_others, .sites = no_sites };

static bool has_others(const struct text_poke_batch *batch)
{
	for (unsigned int i = 0; i < batch->nr_pokes; i++)
		if (!is_swappable(&batch->pokes[i]))
			return true;
	return false;
}

static void commit(const struct text_poke_batch *batch)
{
	text_poke_each_slice(batch, &swappable, TEXT_PART_WHOLE);
	if (has_others(batch))
		text_poke_stopped(batch, &others);
	else if (text_poke_completing(batch))
		text_poke_sync();
	else
		text_poke_note_unsettled();
	text_poke_touch(batch);
}

const struct text_poke_method text_poke_nosync = {
	.name = "nosync",
	.commit = commit,
};
