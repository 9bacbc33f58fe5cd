// SPDX-License-Identifier: MIT
/*
 * All CPUs meet in one round; one of them writes, the others wait with
 * interrupts off. Safe for any change on any ISA, at the longest pause.
 */
#include "patch/method.h"

#include "base/atomic.h"
#include "base/host.h"

struct stop {
	const struct text_poke_batch *batch;
	const struct text_writer *writer;
	unsigned int arrived;
	unsigned int done;
};

static void write_all(struct stop *stop)
{
	unsigned long cookie;
	u64 start = host_clock();

	/* Acquire pairs with the increment in meet(): who is counted runs nothing but wait(). */
	while (smp_load_acquire(&stop->arrived) != host_nr_online())
		arch_relax();
	cookie = host_text_open();
	text_poke_at_once(stop->batch, stop->writer, TEXT_PART_WHOLE);
	host_text_close(cookie);
	text_poke_note_pause(start);
	/* Release pairs with the acquire in wait(): text is written before anybody goes on. */
	smp_store_release(&stop->done, 1u);
}

static void wait(const struct stop *stop)
{
	while (!smp_load_acquire(&stop->done))
		arch_relax();
}

/* Whoever comes first writes: the caller may have moved to another CPU meanwhile. */
static void meet(void *arg)
{
	struct stop *stop = arg;

	if (atomic_fetch_add(&stop->arrived, 1u) == 0)
		write_all(stop);
	else
		wait(stop);
	/* The host synchronises each CPU's pipeline behind this. */
}

/* Nothing in it allocates, locks or calls traced code. */
void text_poke_stopped(const struct text_poke_batch *batch, const struct text_writer *writer)
{
	struct stop stop = { .batch = batch, .writer = writer };

	text_poke_round(meet, &stop);
}

static void commit(const struct text_poke_batch *batch)
{
	text_poke_stopped(batch, &text_write_all);
}

const struct text_poke_method text_poke_stop = {
	.name = "stop",
	.commit = commit,
};
