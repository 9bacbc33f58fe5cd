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
#include "patch/method_stop.h"

static void write_swappable(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		if (text_poke_is_swappable(poke))
			arch_text_write(poke->addr, poke->new, poke->len);
}

static void write_others(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		if (!text_poke_is_swappable(poke))
			arch_text_write(poke->addr, poke->new, poke->len);
}

static void commit(const struct text_poke_batch *batch)
{
	if (batch->others) {
		text_poke_each_slice(batch, write_swappable);
		text_poke_stopped(batch, write_others);
	} else {
		text_poke_each_slice(batch, text_poke_write_slice);
		if (text_poke_completing())
			text_poke_round(NULL, NULL);
	}
	if (text_poke_touching())
		text_poke_each_slice(batch, arch_text_touch_all);
}

const struct text_poke_method text_poke_nosync = {
	.name = "nosync",
	.commit = commit,
};
