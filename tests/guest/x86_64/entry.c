// SPDX-License-Identifier: MIT
/*
 * Entry code and the switch: all registers survive, of whatever kind, wherever
 * the stack stood; NMIs come and are counted one by one.
 */
#include "tests/test.h"

#include "base/atomic.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#include <asm/ptrace.h>
#include "tests/guest/x86_64/registers.h"

#define NR_NMIS		200
#define NR_SHARING	3
#define SPIN_MS		100

struct seen {
	unsigned int count, depth;
	struct pt_regs regs;
	unsigned long frame, flags;
};

static void look(void *arg)
{
	struct cpu *cpu = this_cpu();
	struct seen *seen = arg;

	seen->count++;
	seen->depth = cpu->irq_depth;
	seen->regs = *cpu->irq_regs;
	seen->frame = (unsigned long)cpu->irq_regs;
	seen->flags = x86_flags();
}

DEFINE_TEST(x86_entry)
{
	for (unsigned long shift = 0; shift < 64; shift += 8) {
		struct seen seen = { .count = 0 };
		unsigned long flags = soft_irq_shifted(look, &seen, shift);

		report(seen.count == 1 && seen.depth == 1 && seen.frame % 16 == 0,
		       "stack %lu lower: one interrupt, an aligned frame", shift);
		report((seen.regs.flags & X86_FLAGS_DF) && (flags & X86_FLAGS_DF) && !(seen.flags & X86_FLAGS_DF),
		       "stack %lu lower: the direction flag is clear inside, set again after", shift);
		report(!(seen.flags & X86_FLAGS_IF), "stack %lu lower: interrupts are off inside", shift);
	}
}

/* Several threads with different patterns share one CPU: ticks and switches must not mix them. */
struct spinner {
	unsigned long seed;
	const unsigned int *stop;
};

static int spin(void *arg)
{
	const struct spinner *s = arg;

	return spin_with_pattern(s->seed, s->stop);
}

DEFINE_TEST(x86_registers)
{
	unsigned int last = smp_online() - 1, stop = 0;
	unsigned long switches = cpus[last].switches;
	struct spinner spinner[NR_SHARING];
	struct thread *t[NR_SHARING];

	for (unsigned int i = 0; i < NR_SHARING; i++) {
		spinner[i] = (struct spinner){ 0x1234567800000000UL * (i + 1) + i, &stop };
		t[i] = thread_create("pattern", spin, &spinner[i], last);
		report(t[i], "thread %u", i);
	}
	thread_sleep_ms(SPIN_MS);
	smp_store_release(&stop, 1u);
	for (unsigned int i = 0; i < NR_SHARING; i++)
		if (t[i])
			report(thread_join(t[i]) == 0, "thread %u finds all its registers, SSE too", i);
	report(cpus[last].switches - switches > NR_SHARING, "they were switched: %lu times",
	       cpus[last].switches - switches);
}

static bool nmis_arrive(struct cpu *cpu)
{
	unsigned long before = READ_ONCE(cpu->nmis);

	for (unsigned int i = 1; i <= NR_NMIS; i++) {
		u64 end = board_clock() + 10 * board_clock_hz();

		if (board_send_nmi(cpu->id))
			return false;
		while (READ_ONCE(cpu->nmis) - before < i) {
			cpu_relax();
			if (board_clock() > end)
				return false;
		}
	}
	return READ_ONCE(cpu->nmis) - before == NR_NMIS;
}

/* On this CPU with interrupts off and the alias open, which must be open still behind it. */
static bool nmi_inside_alias(void)
{
	unsigned long flags = irq_save(), cookie = mmu_text_open();
	struct cpu *cpu = this_cpu();
	unsigned long nmis = READ_ONCE(cpu->nmis);
	bool w = false, x, came;

	came = board_send_nmi(cpu->id) == 0;
	while (READ_ONCE(cpu->nmis) == nmis)
		cpu_relax();
	mmu_walk((unsigned long)text_alias((unsigned long)nmi_inside_alias), &w, &x);
	mmu_text_close(cookie);
	irq_restore(flags);
	return came && w;
}

DEFINE_TEST(x86_nmi)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		report(nmis_arrive(cpu), "CPU %u counts %d NMIs, no more and no less", cpu->id, NR_NMIS);
	report(nmi_inside_alias(), "an NMI comes with interrupts off and leaves the text alias open");
}
