// SPDX-License-Identifier: MIT
/*
 * One CPU: a slice is written with interrupts off, so no other context runs
 * while an instruction, or a site of two words, is half written. No rounds.
 */
#include "patch/method.h"

#include "base/host.h"

static bool usable(void)
{
	return host_nr_online() == 1;
}

static void commit(const struct text_poke_batch *batch)
{
	text_poke_each_slice(batch, &text_write_all, TEXT_PART_WHOLE);
	arch_text_sync();
}

const struct text_poke_method text_poke_local = {
	.name = "local",
	.usable = usable,
	.commit = commit,
};
