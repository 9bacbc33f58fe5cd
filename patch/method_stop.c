// SPDX-License-Identifier: MIT
/*
 * All CPUs meet in one round; one of them writes, the others wait with
 * interrupts off. For any change on any ISA, at the longest pause.
 *
 * An NMI is not parked. Where an instruction takes several stores it may run into one of
 * which half is written: so those that can be emulated are written by breakpoints here
 * too, all steps in the one round. Between two steps every parked CPU answers once, which
 * it does behind its NMI and with a synchronised pipeline. Others are for text that no
 * NMI runs.
 */
#include "patch/method.h"

#include "base/atomic.h"
#include "base/host.h"

struct stop {
	const struct text_poke_batch *batch;
	const struct text_writer *writer;
	bool by_breakpoints;
	unsigned int arrived;
	unsigned int step;		/* that is written */
	unsigned int answers;		/* to steps, of all CPUs together */
	unsigned int done;
};

/* Every other CPU has synchronised since this part was written. */
static void end_step(struct stop *stop)
{
	unsigned int others = host_nr_online() - 1;

	/* Release pairs with the acquire in wait(): the part is written before anybody answers. */
	smp_store_release(&stop->step, stop->step + 1);
	while (smp_load_acquire(&stop->answers) != stop->step * others)
		arch_relax();
	arch_text_sync();
}

static void write_parts(struct stop *stop)
{
	if (!stop->by_breakpoints) {
		text_poke_at_once(stop->batch, stop->writer, TEXT_PART_WHOLE);
		return;
	}
	text_poke_at_once(stop->batch, stop->writer, TEXT_PART_BREAKPOINT);
	end_step(stop);
	text_poke_at_once(stop->batch, stop->writer, TEXT_PART_TAIL);
	end_step(stop);
	text_poke_at_once(stop->batch, stop->writer, TEXT_PART_HEAD);
}

static void write_all(struct stop *stop)
{
	unsigned long cookie;
	u64 start = host_clock();

	/* Acquire pairs with the increment in meet(): who is counted runs nothing but wait(). */
	while (smp_load_acquire(&stop->arrived) != host_nr_online())
		arch_relax();
	cookie = host_text_open();
	write_parts(stop);
	host_text_close(cookie);
	text_poke_note_pause(start);
	/* Release pairs with the acquire in wait(): text is written before anybody goes on. */
	smp_store_release(&stop->done, 1u);
}

static void wait(struct stop *stop)
{
	unsigned int answered = 0;

	while (!smp_load_acquire(&stop->done)) {
		if (smp_load_acquire(&stop->step) == answered) {
			arch_relax();
			continue;
		}
		answered++;
		arch_text_sync();
		atomic_inc(&stop->answers);
	}
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

/* What cannot be emulated is written as a whole, in the first step. */
static void write_part(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	for (; poke < end; poke++) {
		if (text_poke_can_emulate(poke))
			arch_text_write_part(poke, poke + 1, part);
		else if (part == TEXT_PART_BREAKPOINT)
			arch_text_write_part(poke, poke + 1, TEXT_PART_WHOLE);
	}
}

static void stop_by_breakpoints(const struct text_poke_batch *batch)
{
	static const struct text_writer writer = { .pokes = write_part, .sites = arch_sites_write };
	struct stop stop = { .batch = batch, .writer = &writer, .by_breakpoints = true };

	text_poke_publish(batch);
	text_poke_round(meet, &stop);
	text_poke_touch(batch);
	text_poke_retire();
}

static void commit(const struct text_poke_batch *batch)
{
	if (ARCH_INSN_BYTES > ARCH_BREAKPOINT_BYTES)
		stop_by_breakpoints(batch);
	else
		text_poke_stopped(batch, &text_write_all);
}

const struct text_poke_method text_poke_stop = {
	.name = "stop",
	.commit = commit,
};
