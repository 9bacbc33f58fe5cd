// SPDX-License-Identifier: MIT
/*
 * Breakpoints: instructions of several bytes change under running CPUs. A CPU
 * that runs into one does what the new instruction does and goes on.
 *
 *	old      0f 1f 44 00 00
 *	step 1   cc 1f 44 00 00    round: from here on nobody runs old bytes
 *	step 2   cc t  t  t  t     round: whoever sees the new first byte sees the tail
 *	step 3   e8 t  t  t  t     round: from here on nobody runs the breakpoint
 *
 * Three rounds a batch, however long. Then touch (emulators), and the batch
 * retires: what it knew is forgotten behind the next batch's first round.
 */
#include "patch/method.h"

/* A change no longer than a breakpoint is one store: it waits for step 3. */
static void write_breakpoints(const struct text_poke *poke, const struct text_poke *end)
{
	arch_text_write_part(poke, end, TEXT_PART_BREAKPOINT);
}

static void write_tails(const struct text_poke *poke, const struct text_poke *end)
{
	arch_text_write_part(poke, end, TEXT_PART_TAIL);
}

static void write_heads(const struct text_poke *poke, const struct text_poke *end)
{
	arch_text_write_part(poke, end, TEXT_PART_HEAD);
}

static void commit(const struct text_poke_batch *batch)
{
	text_poke_publish(batch);
	text_poke_each_slice(batch, write_breakpoints);
	text_poke_round(NULL, NULL);
	text_poke_each_slice(batch, write_tails);
	text_poke_round(NULL, NULL);
	text_poke_each_slice(batch, write_heads);
	text_poke_round(NULL, NULL);
	if (text_poke_touching())
		text_poke_each_slice(batch, arch_text_touch_all);
	text_poke_retire();
}

const struct text_poke_method text_poke_breakpoint = {
	.name = "breakpoint",
	.commit = commit,
};
