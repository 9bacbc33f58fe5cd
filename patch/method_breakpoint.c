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

static bool has_tail(const struct text_poke *poke)
{
	return poke->len > ARCH_BREAKPOINT_BYTES;
}

/* A change no longer than a breakpoint is one store: it waits for step 3. */
static void write_breakpoints(const struct text_poke *poke, const struct text_poke *end)
{
	u8 insn[ARCH_BREAKPOINT_BYTES];

	arch_insn_breakpoint(insn);
	for (; poke < end; poke++)
		if (has_tail(poke))
			arch_text_write(poke->addr, insn, sizeof(insn));
}

static void write_tails(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		if (has_tail(poke))
			arch_text_write(poke->addr + ARCH_BREAKPOINT_BYTES,
					poke->new + ARCH_BREAKPOINT_BYTES,
					poke->len - ARCH_BREAKPOINT_BYTES);
}

static void write_heads(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		arch_text_write(poke->addr, poke->new, min(poke->len, (u8)ARCH_BREAKPOINT_BYTES));
}

static void touch(const struct text_poke *poke, const struct text_poke *end)
{
	for (; poke < end; poke++)
		arch_text_touch(poke->addr);
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
		text_poke_each_slice(batch, touch);
	text_poke_retire();
}

const struct text_poke_method text_poke_breakpoint = {
	.name = "breakpoint",
	.commit = commit,
};
