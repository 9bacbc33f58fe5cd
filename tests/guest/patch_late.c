// SPDX-License-Identifier: MIT
/*
 * CPUs that answer a round late, and threads that hold what a writer must not need while all
 * are parked.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/console.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

#define NR_SWITCHED	50
#define LATE_MS		10

/* What a CPU saw while it had interrupts off for LATE_MS at a time. */
static struct late {
	unsigned long hits;
	unsigned long windows, on, off, mixed;	/* windows whose calls were all traced, or none, or some */
	unsigned long wrong;
} late[MAX_CPUS];

static bool stop;

static notrace void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	late[host_cpu_id()].hits++;
}

static struct ftrace_ops op = { .func = count_hit, .name = "late" };

/* All CPUs but the writer's are late each time, at different moments. */
static notrace void spend_window(struct late *l)
{
	unsigned long flags = irq_save(), before = l->hits, calls = 0;
	u64 end = board_clock() + board_clock_hz() * LATE_MS / 1000;

	while (board_clock() < end) {
		for (unsigned int i = 0; i < NR_SWITCHED; i++)
			l->wrong += patch_tracees[i](calls) != calls * 3 + i;
		calls++;
	}
	calls *= NR_SWITCHED;
	before = l->hits - before;
	irq_restore(flags);
	l->windows++;
	*(before == 0 ? &l->off : before == calls ? &l->on : &l->mixed) += 1;
}

static notrace int be_late(void *arg)
{
	struct late *l = &late[cpu_id()];

	while (!smp_load_acquire(&stop))
		spend_window(l);
	return 0;
}

static int switch_often(unsigned int rounds)
{
	int err = 0;

	for (unsigned int i = 0; i < rounds && !err; i++) {
		err = register_ftrace_function(&op);
		thread_sleep_ms(LATE_MS);
		if (!err)
			err = unregister_ftrace_function(&op);
		thread_sleep_ms(LATE_MS);
	}
	return err;
}

static void report_late(bool parks)
{
	struct late sum = { .hits = 0 };

	for (unsigned int i = 0; i < MAX_CPUS; i++) {
		sum.windows += late[i].windows;
		sum.on += late[i].on;
		sum.off += late[i].off;
		sum.mixed += late[i].mixed;
		sum.wrong += late[i].wrong;
	}
	report(sum.on && sum.off, "%lu windows with interrupts off: %lu traced, %lu not, %lu in part",
	       sum.windows, sum.on, sum.off, sum.mixed);
	report(!sum.wrong, "%lu wrong results", sum.wrong);
	if (parks)
		report(!sum.mixed, "text changes only when all are parked");
}

static void be_late_with(const char *method, unsigned int rounds)
{
	struct thread *threads[MAX_CPUS];
	unsigned int n = smp_online() - 1;
	u64 hash = text_hash();

	if (strcmp(method, "atomic") == 0 && !patch_atomic_holds()) {
		report_skip("atomic: a thread a virtual CPU fetches an instruction byte by byte");
		return;
	}
	if (text_poke_select(method)) {
		report_skip("%s: not on this ISA", method);
		return;
	}
	memset(late, 0, sizeof(late));
	stop = false;
	report_prefix_push(method);
	for (unsigned int i = 0; i < n; i++)
		threads[i] = thread_create("late", be_late, NULL, i + 1);
	report(switch_often(rounds) == 0, "%u times on and off", rounds);
	smp_store_release(&stop, true);
	for (unsigned int i = 0; i < n; i++)
		thread_join(threads[i]);
	report_late(strcmp(method, "stop") == 0);
	report(text_hash() == hash, "text is as it was");
	report_prefix_pop();
}

DEFINE_TEST(patch_late)
{
	unsigned int rounds = cmdline_number("flips", 10, 1, 100000);

	report(patch_choose_tracees(&op, NR_SWITCHED) == 0, "%u functions", NR_SWITCHED);
	be_late_with("stop", rounds);
	be_late_with("breakpoint", rounds);
	be_late_with("nosync", rounds);
	be_late_with("atomic", rounds);
	ftrace_free_filter(&op);
	report(text_poke_select("auto") == 0, "back to the default method");
}

/* ---- held locks ---- */

static bool holds;

/* newlib's lock around its allocator. */
struct _reent;
void __malloc_lock(struct _reent *reent);
void __malloc_unlock(struct _reent *reent);

/* In and out of what is guarded by spinlocks: the kernel's allocator, the console. And the symbols. */
static void take_spinlocks(void)
{
	struct kallsym sym;

	kfree(kalloc(100));
	kfree(kalloc(2 * PAGE_SIZE));
	console_getc();
	kallsyms_lookup((unsigned long)take_spinlocks, &sym);
}

/* Everything that sleeps above the patch layer, held by a thread that never gets to release it. */
static int hold_locks(void *arg)
{
	unsigned long *turns = arg;
	int err = ftrace_lock();

	if (!err)
		err = static_key_begin();
	__malloc_lock(NULL);
	smp_store_release(&holds, true);
	for (; !smp_load_acquire(&stop); (*turns)++)
		take_spinlocks();
	__malloc_unlock(NULL);
	if (!err)
		err = static_key_commit();
	ftrace_unlock();
	return err;
}

#define HELD_BATCHES	30

/* The site on or off, by turns. */
static int switch_site(struct dyn_ftrace *rec, bool on)
{
	size_t pool_bytes;
	int err = text_poke_begin();

	if (err)
		return err;
	err = site_queue(rec, on ? host_code_pool(&pool_bytes) : 0);
	if (!err)
		return text_poke_commit();
	text_poke_abort();
	return err;
}

DEFINE_TEST(patch_held_locks)
{
	struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[0]);
	unsigned long turns = 0;
	struct thread *t;
	int err = 0;

	holds = stop = false;
	t = thread_create("holder", hold_locks, &turns, 1);
	while (!smp_load_acquire(&holds))
		thread_yield();
	report(text_poke_select("stop") == 0, "by stop");
	for (unsigned int i = 0; i < HELD_BATCHES && !err; i++)
		err = switch_site(rec, i % 2 == 0);
	report(!err, "%u batches while another CPU holds the locks above: %d", HELD_BATCHES, err);
	smp_store_release(&stop, true);
	report(thread_join(t) == 0 && turns, "which it gives back, %lu turns with others later", turns);
	report(text_poke_select("auto") == 0, "back to the default method");
}
