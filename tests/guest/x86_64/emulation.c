// SPDX-License-Identifier: MIT
/*
 * While a batch is half written, a CPU that hits its breakpoint does what the NEW
 * instruction does. One CPU switches a site on and off, the other asks the trap's
 * handler, all the time, as if it had hit the site.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/host.h"
#include "base/string.h"
#include "kernel/cmdline.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/text_poke.h"

enum { TO_ON = 1, TO_OFF = 2 };

static unsigned int direction;	/* what the other CPU is doing; 0 = nothing */
static bool stop;
static unsigned long ip, target;

struct answers {
	unsigned long emulated, healed, wrong;
};

/* What the interrupted context is after the trap: nop, call, or once more. As in a handler interrupts are off. */
static void ask(struct answers *answers)
{
	unsigned long stack[4] = { 0 };
	struct pt_regs regs = { .ip = ip + ARCH_BREAKPOINT_BYTES, .sp = (unsigned long)&stack[3] };
	unsigned int before = smp_load_acquire(&direction);
	unsigned long flags = host_irq_save();
	bool handled = text_poke_trap(&regs), called;

	host_irq_restore(flags);
	/* It reads the batch, not text: only an answer within one change tells something. */
	if (!before || smp_load_acquire(&direction) != before)
		return;
	if (handled && regs.ip == ip) {
		answers->healed++;
		return;
	}
	called = regs.ip == target && regs.sp == (unsigned long)&stack[2] && stack[2] == ip + ARCH_INSN_BYTES;
	if (handled && (before == TO_ON ? called : regs.ip == ip + ARCH_INSN_BYTES))
		answers->emulated++;
	else
		answers->wrong++;	/* or fatal: a breakpoint that is nobody's */
}

static int ask_always(void *arg)
{
	while (!READ_ONCE(stop))
		ask(arg);
	return 0;
}

static int move(unsigned int to, unsigned long where)
{
	int err = text_poke_begin();

	if (err)
		return err;
	smp_store_release(&direction, to);
	err = site_queue(site_find(ip), where);
	if (err)
		text_poke_abort();
	else
		err = text_poke_commit();
	smp_store_release(&direction, 0u);
	return err;
}

/* All that the CPU has met, of both kinds. */
static unsigned long traps_of(unsigned int cpu)
{
	unsigned long emulated, late;

	text_poke_cpu_traps(cpu, &emulated, &late);
	return emulated + late;
}

DEFINE_TEST(x86_emulation)
{
	unsigned long first = traps_of(0), second = traps_of(1);
	unsigned int flips = cmdline_number("flips", 20, 1, 1000000);
	struct answers answers = { 0 };
	struct thread *asker;
	size_t pool_bytes;
	int err = 0;

	if (smp_online() < 2) {
		report_skip("needs two CPUs");
		return;
	}
	ip = site_of_function((unsigned long)patch_tracees[0])->ip;
	target = host_code_pool(&pool_bytes);
	asker = thread_create("asker", ask_always, &answers, 1);
	report(asker, "a thread on CPU 1");
	for (unsigned int i = 0; i < flips && !err && asker; i++) {
		err = move(TO_ON, target);
		if (!err)
			err = move(TO_OFF, 0);
	}
	WRITE_ONCE(stop, true);
	if (asker)
		thread_join(asker);
	report(!err && answers.emulated && !answers.wrong,
	       "%lu answers as the new instruction, %lu once more, %lu wrong (%d)", answers.emulated,
	       answers.healed, answers.wrong, err);
	report(traps_of(0) == first && traps_of(1) - second >= answers.emulated + answers.healed,
	       "all are booked on the CPU that asked: %lu, on the other %lu", traps_of(1) - second,
	       traps_of(0) - first);
}
