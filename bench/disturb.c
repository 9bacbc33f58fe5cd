// SPDX-License-Identifier: MIT
/*
 * An IPI is sent to the CPU itself while it has interrupts off, a breakpoint is called: each is the
 * difference of two stretches with interrupts off at both ends. The trap needs a batch that is stopped
 * half way, which only the parts of a method can do.
 */
#include "bench/disturb.h"

#include "base/atomic.h"
#include "base/print.h"
#include "base/string.h"
#include "bench/measure.h"
#include "bench/result.h"
#include "kernel/board.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/method.h"

/* A tick may fall into one. */
#define SAMPLES	3

static void do_nothing(void *arg)
{
}

/* From interrupts on until the call, if there is one, is done. */
static u64 count_window(bool with_ipi)
{
	struct smp_call call = { .fn = do_nothing, .kind = SMP_CALL_KERNEL, .pending = with_ipi };
	u64 start, insns;

	irq_disable();
	if (with_ipi) {
		this_cpu()->call = &call;
		board_send_ipi(cpu_id(), IPI_CALL);
	}
	start = insns_read();
	irq_enable();
	do
		cpu_relax();
	while (smp_load_acquire(&call.pending));
	irq_disable();
	insns = insns_read() - start;
	irq_enable();
	return insns;
}

static u64 count_ipi(void)
{
	u64 with = ~0ULL, without = ~0ULL;

	smp_hold_calls();
	preempt_disable();
	for (unsigned int i = 0; i < SAMPLES; i++) {
		without = min(without, count_window(false));
		with = min(with, count_window(true));
	}
	preempt_enable();
	smp_release_calls();
	return (with - without) * INSNS_NUM / INSNS_DEN;
}

static u64 count_call(void (*call)(void))
{
	unsigned long flags = irq_save();
	u64 start = insns_read();

	call();
	start = insns_read() - start;
	irq_restore(flags);
	return start;
}

/* From off to off: the new instruction is the old one, a nop, and the last two parts bring it back. */
static u64 count_trap(struct text_poke_batch *batch, void (*call)(void))
{
	u64 without = count_call(call), with;

	text_poke_publish(batch);
	text_poke_each_slice(batch, &text_write_all, TEXT_PART_BREAKPOINT);
	text_poke_sync();
	with = count_call(call);
	text_poke_each_slice(batch, &text_write_all, TEXT_PART_TAIL);
	text_poke_each_slice(batch, &text_write_all, TEXT_PART_HEAD);
	text_poke_retire();
	/* Behind it nobody knows the batch, whose memory is the next one's. */
	text_poke_sync();
	return (with - without) * INSNS_NUM / INSNS_DEN;
}

/* Return: 0 where no method uses breakpoints, or the batch did not open. */
static u64 count_breakpoint(struct dyn_ftrace *const *recs, unsigned int nr, void (*call)(void))
{
	u64 insns = 0;
	int err = 0;

	if (strcmp(text_poke_method_name(), "breakpoint") != 0 || text_poke_begin())
		return 0;
	for (unsigned int i = 0; i < nr && !err; i++)
		err = site_queue(recs[i], 0);
	if (!err)
		err = text_poke_verify(text_poke_open_batch(), text_poke_method());
	if (!err)
		insns = count_trap(text_poke_open_batch(), call);
	text_poke_abort();
	return insns;
}

static void put(const char *op, const char *metric, unsigned int nr_sites, u64 insns)
{
	const struct result_param params[] = { { "op", op, 0 }, { "nr_sites", NULL, nr_sites }, { NULL, NULL, 0 } };
	const struct figure figure = { insns * 100, insns * 100, insns * 100, 1 };

	pr_info("patch: one %s: %llu instructions of the CPU that takes it\n", op, (unsigned long long)insns);
	result_print("patch", params, metric, "instructions", &figure);
}

/* Where the method makes no rounds, there are no other CPUs. */
int disturb_measure(struct dyn_ftrace *const *recs, unsigned int nr, void (*call)(void))
{
	struct text_poke_stats before, after;
	u64 insns;

	if (strcmp(text_poke_method_name(), "local") == 0)
		return 0;
	put("ipi", "ipi_handler_insns", 0, count_ipi());
	text_poke_stats(&before, NULL);
	insns = count_breakpoint(recs, nr, call);
	text_poke_stats(&after, NULL);
	if (insns)
		put("trap", "trap_insns", nr, insns);
	if (after.traps - before.traps == (insns != 0))
		return 0;
	pr_err("patch: %lu traps instead of one\n", after.traps - before.traps);
	return 1;
}
