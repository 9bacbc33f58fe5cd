// SPDX-License-Identifier: MIT
/*
 * Switching without a round at the end: CPUs may run what was replaced for a while, and must
 * be out of it before it is given back.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "arch/text_step.h"
#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define NR_SWITCHED	200

static bool stop;
static unsigned long calls, wrong_results, hits;

static notrace void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	atomic_inc(&hits);
}

static struct ftrace_ops op = { .func = count_hit, .name = "settle" };

static int call_all(void *arg)
{
	unsigned long n = 0, wrong = 0;

	while (!smp_load_acquire(&stop)) {
		for (unsigned int i = 0; i < NR_SWITCHED; i++)
			wrong += patch_tracees[i](n) != n * 3 + i;
		n++;
	}
	atomic_fetch_add(&calls, n * NR_SWITCHED);
	atomic_fetch_add(&wrong_results, wrong);
	return 0;
}

/* Its trampoline is new each time, and full of traps afterwards. */
static int switch_often(unsigned int flips)
{
	int err = 0;

	for (unsigned int i = 0; i < flips && !err; i++) {
		err = register_ftrace_function(&op);
		thread_sleep_ms(1);
		if (!err)
			err = unregister_ftrace_function(&op);
	}
	return err;
}

DEFINE_TEST(patch_settle)
{
	unsigned int flips = cmdline_number("flips", 20, 1, 1000000), n = smp_online() - 1;
	struct thread *threads[MAX_CPUS];
	u64 hash = text_hash();

	if (text_poke_select("nosync")) {
		report_skip("this ISA ends no batch without a round");
		return;
	}
	text_poke_set_completion(false);
	report(patch_choose_tracees(&op, NR_SWITCHED) == 0, "%u functions", NR_SWITCHED);
	for (unsigned int i = 0; i < n; i++)
		threads[i] = thread_create("calls", call_all, NULL, i + 1);
	report(switch_often(flips) == 0, "%u times on and off", flips);
	smp_store_release(&stop, true);
	for (unsigned int i = 0; i < n; i++)
		thread_join(threads[i]);
	text_poke_set_completion(true);
	ftrace_free_filter(&op);
	report(calls && hits, "%lu calls, %lu hits", calls, hits);
	report(!wrong_results, "%lu wrong results", wrong_results);
	report(text_hash() == hash, "text is as it was");
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- what it takes ---- */

/* Steps of switching off, until the trampoline is given back: was each site touched? */
static unsigned int touches_of_unregister(int *err)
{
	unsigned int n = 0, capacity = 4 * nr_sites() + 4096;
	struct text_step_log log = { .capacity = capacity, .records = host_alloc(capacity * sizeof(*log.records)) };

	if (!log.records) {
		*err = -ENOMEM;
		return 0;
	}
	smp_store_release(&text_step_log, &log);
	*err = unregister_ftrace_function(&op);
	smp_store_release(&text_step_log, (struct text_step_log *)NULL);
	for (unsigned int i = 0; i < min(log.count, log.capacity); i++)
		n += log.records[i].step == TEXT_STEP_TOUCH;
	host_free(log.records);
	return n;
}

DEFINE_TEST(patch_settle_steps)
{
	unsigned int touches;
	int err;

	if (text_poke_select("nosync")) {
		report_skip("this ISA ends no batch without a round");
		return;
	}
	text_poke_set_touch(true);
	text_poke_set_completion(false);
	report(patch_choose_tracees(&op, NR_SWITCHED) == 0 && register_ftrace_function(&op) == 0,
	       "%u functions", NR_SWITCHED);
	touches = touches_of_unregister(&err);
	report(!err && touches >= nr_sites() && !text_poke_unsettled(),
	       "before the trampoline is given back all %u sites are touched: %u (%d)", nr_sites(), touches, err);
	text_poke_set_completion(true);
	text_poke_set_touch(machine.emulated);
	ftrace_free_filter(&op);
	report(text_poke_select("auto") == 0, "back to the default method");
}
