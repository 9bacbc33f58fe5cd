// SPDX-License-Identifier: MIT
/*
 * Direct writes, for the time when nothing else runs: before other CPUs,
 * interrupts and threads. No rounds, no breakpoints.
 */
#include "patch/method.h"

static void commit(const struct text_poke_batch *batch)
{
	text_poke_each_slice(batch, &text_write_all, TEXT_PART_WHOLE);
	arch_text_sync();
}

const struct text_poke_method text_poke_direct = {
	.name = "direct",
	.commit = commit,
};
