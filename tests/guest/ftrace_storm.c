// SPDX-License-Identifier: MIT
/*
 * Threads on all CPUs make ops of every kind, let them live until they were called, and
 * take them away, all at the same sites, which are called all the while by threads that
 * never give up their CPU. The memory of what is gone is overwritten and its code
 * filled with traps.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_callers.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "core/ops_set.h"
#include "core/quiesce.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/text_poke.h"

#define ALIVE	0x600df00dUL
#define POISON	0xdd
#define BATCH	20		/* more than a trampoline unrolls */
#define CHANGES	4
#define SECONDS	60		/* a call comes in no time, or not at all */

struct mortal {
	struct ftrace_ops op;
	unsigned long magic;
	unsigned long calls;
};

static unsigned long nr_dead_calls, nr_refused;

static const char *const patterns[] = { "ft_tracee_0", "ft_tracee_*", "ft_tracee_[12]", "ft_tracee_3" };
static const unsigned int kinds_of_call[] = {
	0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_ALL, FTRACE_OPS_FL_COUNT,
};

/* ---- one op ---------------------------------------------------------------------------- */

static notrace void expect_alive(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 struct ftrace_regs *fregs)
{
	struct mortal *m = container_of(op, struct mortal, op);

	if (READ_ONCE(m->magic) != ALIVE)
		atomic_inc(&nr_dead_calls);
	else
		atomic_inc(&m->calls);
}

static notrace void expect_alive_and_leave(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
					   struct ftrace_regs *fregs)
{
	expect_alive(ip, parent_ip, op, fregs);
	if (unregister_ftrace_function_deferred(op) == -ENOENT)
		atomic_inc(&nr_dead_calls);
}

static int init_at(struct mortal *m, ftrace_func_t func, unsigned int flags, const char *pattern)
{
	*m = (struct mortal){ .magic = ALIVE, .op = { .func = func, .flags = flags } };
	if (flags & FTRACE_OPS_FL_COUNT)
		m->op.func = NULL;
	return ftrace_set_filter(&m->op, pattern, true) < 0 ? -EINVAL : 0;
}

static int init(struct mortal *m, ftrace_func_t func, unsigned int flags, unsigned int n)
{
	return init_at(m, func, flags, patterns[n % ARRAY_SIZE(patterns)]);
}

static unsigned long calls_of(const struct mortal *m)
{
	return m->op.flags & FTRACE_OPS_FL_COUNT ? ftrace_ops_hits(&m->op) : atomic_read(&m->calls);
}

/* Until it has more calls than before. */
static int wait_for_call(const struct mortal *m, unsigned long before)
{
	u64 end = board_clock() + board_clock_hz() * SECONDS;

	while (calls_of(m) <= before) {
		if (board_clock() > end)
			return -EAGAIN;
		thread_yield();
	}
	return 0;
}

/* Nobody touches it from here on. Return: its calls. */
static unsigned long bury(struct mortal *m)
{
	unsigned long calls = calls_of(m);

	ftrace_free_filter(&m->op);
	memset(m, POISON, sizeof(*m));
	return calls;
}

/* ---- ways to live: each returns 0, and how many calls there were ------------------------- */

/* Its filter changes meanwhile. */
static int live_changing(unsigned int n, struct mortal *m, unsigned long *calls)
{
	int err = init(m, expect_alive, kinds_of_call[n % ARRAY_SIZE(kinds_of_call)], n);

	if (!err)
		err = register_ftrace_function(&m->op);
	for (unsigned int i = 0; i < CHANGES && !err; i++) {
		err = wait_for_call(m, i ? calls_of(m) : 0);
		if (!err && ftrace_set_filter(&m->op, patterns[(n + i) % ARRAY_SIZE(patterns)], true) < 0)
			err = -EINVAL;
	}
	if (!err)
		err = unregister_ftrace_function(&m->op);
	*calls = bury(m);
	return err;
}

/* Many come and go together. */
static int live_together(unsigned int n, struct mortal *m, unsigned long *calls)
{
	struct ftrace_ops *list[BATCH];
	int err = 0;

	for (unsigned int i = 0; i < BATCH && !err; i++) {
		err = init(&m[i], expect_alive, kinds_of_call[(n + i) % ARRAY_SIZE(kinds_of_call)], n + i);
		list[i] = &m[i].op;
	}
	if (!err)
		err = register_ftrace_functions(list, BATCH);
	for (unsigned int i = 0; i < BATCH && !err; i++)
		err = wait_for_call(&m[i], 0);
	if (!err)
		err = unregister_ftrace_functions(list, BATCH);
	for (unsigned int i = 0; i < BATCH; i++)
		*calls += bury(&m[i]);
	return err;
}

/* It asks to go in its own callback. */
static int live_put_off(unsigned int n, struct mortal *m, unsigned long *calls)
{
	int err = init(m, expect_alive_and_leave, 0, n);

	if (!err)
		err = register_ftrace_function(&m->op);
	if (!err)
		err = wait_for_call(m, 0);
	while (!err && ftrace_ops_is_registered(&m->op)) {
		baretrace_poll();
		thread_yield();
	}
	*calls = bury(m);
	return err;
}

/* Code that keeps every register and calls the mortal's function. */
static struct code_block *make_code(struct mortal *m)
{
	struct trampoline_call call = { .func = (unsigned long)expect_alive, .arg = (unsigned long)&m->op };
	struct trampoline_spec spec = { .calls = &call, .nr_calls = 1 };
	struct code_block *block;
	int err = ftrace_lock();

	if (err)
		return NULL;
	block = dispatch_generate(&spec, "mortal code", &err);
	ftrace_unlock();
	code_pool_publish();
	return block;
}

/* -EBUSY: another one is there that decides where the function goes on. */
static int register_patiently(struct ftrace_ops *op)
{
	int err;

	while ((err = register_ftrace_function(op)) == -EBUSY) {
		atomic_inc(&nr_refused);
		thread_yield();
	}
	return err;
}

static int live_in_code(unsigned int flags, unsigned int n, struct mortal *m, unsigned long *calls)
{
	struct code_block *block = make_code(m);
	int err = block ? init(m, (ftrace_func_t)block->start, flags, n) : -ENOSPC;

	if (!err)
		err = register_patiently(&m->op);
	if (!err)
		err = wait_for_call(m, 0);
	if (!err)
		err = unregister_ftrace_function(&m->op);
	if (block)
		code_pool_free(block);
	*calls = bury(m);
	return err;
}

static int live_as_leaf(unsigned int n, struct mortal *m, unsigned long *calls)
{
	return live_in_code(FTRACE_OPS_FL_LEAF, n, m, calls);
}

static int live_as_direct(unsigned int n, struct mortal *m, unsigned long *calls)
{
	return live_in_code(FTRACE_OPS_FL_DIRECT, n, m, calls);
}

/* In interrupts of all CPUs; @poke brings them, where none come by themselves. */
static int live_in_interrupts(const char *pattern, void (*poke)(void), unsigned int n, struct mortal *m,
			      unsigned long *calls)
{
	int err = init_at(m, expect_alive, kinds_of_call[n % ARRAY_SIZE(kinds_of_call)], pattern);

	if (!err)
		err = register_ftrace_function(&m->op);
	if (!err && poke)
		poke();
	if (!err)
		err = wait_for_call(m, 0);
	if (!err && poke)
		poke();		/* some are on their way while it goes */
	if (!err)
		err = unregister_ftrace_function(&m->op);
	*calls = bury(m);
	return err;
}

static int live_in_ticks(unsigned int n, struct mortal *m, unsigned long *calls)
{
	return live_in_interrupts("kernel_tick", NULL, n, m, calls);
}

static bool no_nmis;

static void send_nmis(void)
{
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++)
		if (board_send_nmi(cpu))
			no_nmis = true;
}

static int live_in_nmis(unsigned int n, struct mortal *m, unsigned long *calls)
{
	send_nmis();
	return no_nmis ? 0 : live_in_interrupts("kernel_nmi", send_nmis, n, m, calls);
}

/* ---- the storm -------------------------------------------------------------------------------- */

struct way {
	const char *name;
	int (*live)(unsigned int n, struct mortal *m, unsigned long *calls);
	unsigned long lives, calls;
};

static struct way ways[] = {
	{ .name = "changing filters", .live = live_changing },
	{ .name = "together", .live = live_together },
	{ .name = "leaves", .live = live_as_leaf },
	{ .name = "direct", .live = live_as_direct },
	{ .name = "put off", .live = live_put_off },
	{ .name = "in ticks", .live = live_in_ticks },
	{ .name = "in NMIs", .live = live_in_nmis },
};

static int live_and_die(unsigned int n)
{
	struct mortal *m = host_alloc(BATCH * sizeof(*m));
	struct way *way = &ways[n % ARRAY_SIZE(ways)];
	unsigned long calls = 0;
	int err;

	if (!m)
		return -ENOMEM;
	err = way->live(n / ARRAY_SIZE(ways), m, &calls);
	atomic_inc(&way->lives);
	atomic_fetch_add(&way->calls, calls);
	host_free(m);
	return err;
}

static int storm(void *arg)
{
	unsigned int rounds = cmdline_number("rounds", ARRAY_SIZE(ways), 1, 1000000), n;
	int err = 0;

	for (n = 0; n < rounds && !err; n++)
		err = live_and_die(n + (unsigned long)arg);
	return err;
}

static void run_storm(void)
{
	struct thread *threads[MAX_CPUS];
	int err;

	for (unsigned long i = 0; i < smp_online(); i++)
		threads[i] = thread_create("storm", storm, (void *)i, THREAD_ANY_CPU);
	for (unsigned int i = 0; i < smp_online(); i++) {
		err = threads[i] ? thread_join(threads[i]) : -ENOMEM;
		if (err)
			report(false, "thread %u of the storm: %d", i, err);
	}
}

static void report_ways(void)
{
	struct quiesce_stats s;

	for (const struct way *way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		if (way->live == live_in_nmis && no_nmis)
			report_skip("no NMI on this board");
		else
			report(way->lives && way->calls >= way->lives, "%s: %lu lives, %lu calls", way->name,
			       way->lives, way->calls);
	}
	quiesce_stats(&s);
	report_info("%lu times another decided", nr_refused);
	report_info("quiesce since boot: %lu calls, %lu rounds, %lu again, at most %lu for one", s.calls, s.rounds,
		    s.retries, s.most_rounds);
}

DEFINE_TEST(ftrace_storm)
{
	struct code_pool_stats before, after;
	u64 hash = text_hash();

	nr_dead_calls = nr_refused = 0;
	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++)
		ways[i].lives = ways[i].calls = 0;
	code_pool_stats(&before);
	ftrace_callers_start(0);
	run_storm();
	ftrace_callers_stop();
	code_pool_stats(&after);
	report_ways();
	report(!nr_dead_calls, "%lu calls of what is gone", nr_dead_calls);
	/* What stays is the walkers of a design that is used for the first time. */
	report(after.blocks <= before.blocks + 2 && !ops_set_total(), "code blocks: %u before, %u after; %u sets",
	       before.blocks, after.blocks, ops_set_total());
	report(text_hash() == hash, "text is as it was");
}
