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

static bool crosses(const struct text_poke *poke)
{
	return arch_text_crosses(poke->addr, poke->len);
}

static void write_atomic(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		if (!crosses(poke))
			arch_text_write_atomic(poke->addr, poke->new, poke->len);
}

static void write_crossing(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	for (; poke < end; poke++)
		if (crosses(poke))
			arch_text_write_part(poke, poke + 1, part);
}

static void write_first(const struct text_poke *poke, const struct text_poke *end)
{
	write_atomic(poke, end);
	write_crossing(poke, end, TEXT_PART_BREAKPOINT);
}

static void write_tails(const struct text_poke *poke, const struct text_poke *end)
{
	write_crossing(poke, end, TEXT_PART_TAIL);
}

static void write_heads(const struct text_poke *poke, const struct text_poke *end)
{
	write_crossing(poke, end, TEXT_PART_HEAD);
}

static bool any_crosses(const struct text_poke_batch *batch)
{
	for (unsigned int i = 0; i < batch->nr; i++)
		if (crosses(&batch->pokes[i]))
			return true;
	return false;
}

static void commit_with_breakpoints(const struct text_poke_batch *batch)
{
	text_poke_publish(batch);
	text_poke_each_slice(batch, write_first);
	text_poke_round(NULL, NULL);
	text_poke_each_slice(batch, write_tails);
	text_poke_round(NULL, NULL);
	text_poke_each_slice(batch, write_heads);
	text_poke_round(NULL, NULL);
	if (text_poke_touching())
		text_poke_each_slice(batch, arch_text_touch_all);
	text_poke_retire();
}

static void commit(const struct text_poke_batch *batch)
{
	if (any_crosses(batch)) {
		commit_with_breakpoints(batch);
		return;
	}
	text_poke_each_slice(batch, write_atomic);
	text_poke_round(NULL, NULL);
	if (text_poke_touching())
		text_poke_each_slice(batch, arch_text_touch_all);
}

const struct text_poke_method text_poke_atomic = {
	.name = "atomic",
	.commit = commit,
};
