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

#include "base/string.h"

/* A change no longer than a breakpoint is one store: it waits for step 3. */
void text_poke_by_breakpoints(const struct text_poke_batch *batch, const struct text_writer *writer)
{
	text_poke_publish(batch);
	text_poke_each_slice(batch, writer, TEXT_PART_BREAKPOINT);
	text_poke_sync();
	text_poke_each_slice(batch, writer, TEXT_PART_TAIL);
	text_poke_sync();
	text_poke_each_slice(batch, writer, TEXT_PART_HEAD);
	text_poke_sync();
	text_poke_touch(batch);
	text_poke_retire();
}

/* Who runs into the breakpoint must have something to do. */
bool text_poke_can_emulate(const struct text_poke *poke)
{
	u8 nop[ARCH_INSN_BYTES];

	if (poke->len <= ARCH_BREAKPOINT_BYTES)
		return true;
	arch_insn_nop(nop);
	return poke->len == ARCH_INSN_BYTES && (arch_insn_target(poke->new, poke->addr) ||
						memcmp(poke->new, nop, sizeof(nop)) == 0);
}

static void commit(const struct text_poke_batch *batch)
{
	text_poke_by_breakpoints(batch, &text_write_all);
}

const struct text_poke_method text_poke_breakpoint = {
	.name = "breakpoint",
	.can_write = text_poke_can_emulate,
	.commit = commit,
};
