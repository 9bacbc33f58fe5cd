// SPDX-License-Identifier: MIT
/*
 * Unregistering, when somebody else wants the same, when it was put off, and from where
 * it would wait for itself.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include <stdlib.h>

#include "base/atomic.h"
#include "base/errno.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "kernel/cmdline.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static notrace void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
}

static void make(struct ftrace_ops *op, ftrace_func_t func, unsigned int flags)
{
	*op = (struct ftrace_ops){ .func = func, .flags = flags };
	must(ftrace_set_filter(op, "ft_tracee_0", true) != 1, "filter");
}

/* ---- who has asked for it does it ----------------------------------------------------- */

static struct ftrace_ops op;
static unsigned int started;

static int unregister_at_once(void *arg)
{
	atomic_inc(&started);
	return unregister_ftrace_function(&op);
}

static int poll(void *arg)
{
	atomic_inc(&started);
	return baretrace_poll();
}

/* Until it waits for the mutex that we hold. */
static struct thread *start(int (*fn)(void *arg))
{
	struct thread *thread;

	started = 0;
	thread = thread_create("waits", fn, NULL, THREAD_ANY_CPU);
	while (!READ_ONCE(started))
		thread_sleep_ms(1);
	thread_sleep_ms(20);
	return thread;
}

/* One that waits to unregister it, then it is put off, then one that waits to do that. */
DEFINE_TEST(ftrace_claims)
{
	struct thread *at_once, *polls[2];
	int done;

	make(&op, nothing, 0);
	must(register_ftrace_function(&op), "register");
	must(ftrace_lock(), "lock");
	at_once = start(unregister_at_once);
	must(unregister_ftrace_function_deferred(&op), "later");
	polls[0] = start(poll);
	polls[1] = start(poll);
	report(unregister_ftrace_function_deferred(&op) == -EBUSY, "it is in the queue while that is worked off");
	ftrace_unlock();
	report(thread_join(at_once) == -EBUSY, "it is the queue's");
	done = thread_join(polls[0]) + thread_join(polls[1]) + baretrace_poll();
	/* The kernel's own thread may have been faster. */
	report(!ftrace_ops_is_registered(&op) && done <= 1, "and the queue has done it");
	report(unregister_ftrace_function_deferred(&op) == -ENOENT, "it is gone");
	ftrace_free_filter(&op);
}

static unsigned int stop;
static unsigned long asked;

static int ask(void *arg)
{
	while (!READ_ONCE(stop))
		if (!unregister_ftrace_function_deferred(&op))
			atomic_inc(&asked);
	return 0;
}

/* Another CPU asks all the time: of one registration, for one end. */
DEFINE_TEST(ftrace_claim_race)
{
	unsigned long rounds = cmdline_number("flips", 100, 1, 1000000), at_once = 0, wrong = 0, before;
	struct thread *thread;

	make(&op, nothing, 0);
	stop = 0;
	asked = 0;
	thread = thread_create("asks", ask, NULL, smp_online() - 1);
	for (unsigned long n = 0; n < rounds; n++) {
		int err;

		before = READ_ONCE(asked);
		must(register_ftrace_function(&op), "register");
		err = unregister_ftrace_function(&op);
		while (ftrace_ops_is_registered(&op))
			baretrace_poll();
		at_once += !err;
		wrong += READ_ONCE(asked) - before != !!err;
	}
	WRITE_ONCE(stop, 1);
	must(thread_join(thread), "thread");
	report(!wrong, "%lu times at once, %lu put off, %lu both or neither", at_once, rounds - at_once, wrong);
	ftrace_free_filter(&op);
}

/* ---- from within ------------------------------------------------------------------------ */

/* The C library is not compiled for our unwinder, least of all on ARM. */
static int from_within, from_outside, in_callback;
static struct ftrace_ops other = { .func = nothing };

static notrace int compare(const void *a, const void *b)
{
	if (in_callback)
		from_within = unregister_ftrace_function(&op);
	else
		from_outside = unregister_ftrace_function(&other);
	return *(const int *)a - *(const int *)b;
}

static notrace noinline void sort_two(void)
{
	int numbers[] = { 2, 1 };

	qsort(numbers, ARRAY_SIZE(numbers), sizeof(numbers[0]), compare);
	barrier();
}

static notrace void sorting(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
			    struct ftrace_regs *fregs)
{
	in_callback = 1;
	sort_two();
	in_callback = 0;
}

DEFINE_TEST(ftrace_through_libc)
{
	make(&op, sorting, 0);
	make(&other, nothing, 0);
	must(register_ftrace_function(&op), "register");
	must(register_ftrace_function(&other), "register");
	report(ft_tracee_0(1) == 1 && from_within == -EBUSY, "in its callback, by way of qsort(): %d", from_within);
	sort_two();
	report(from_outside == 0 || from_outside == -ENOENT, "another, outside of it: %d", from_outside);
	report(!ftrace_ops_is_registered(&other), "it is gone");
	must(unregister_ftrace_function(&op), "unregister");
	ftrace_free_filter(&op);
	ftrace_free_filter(&other);
}

static int put_off, polled_within;
static bool there_within;

static notrace void from_code(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *unused,
			      struct ftrace_regs *fregs)
{
	from_within = unregister_ftrace_function(&op);
	put_off = unregister_ftrace_function_deferred(&op);
	polled_within = baretrace_poll();
	there_within = ftrace_ops_is_registered(&op);
}

/* Code of an op's own, of which nobody but the op knows, calls C. */
static struct code_block *make_code(void)
{
	static const struct trampoline_call call = { .func = (unsigned long)from_code };
	struct trampoline_spec spec = { .calls = &call, .nr_calls = 1 };
	struct code_block *block;
	int error = 0;

	must(ftrace_lock(), "lock");
	block = dispatch_generate(&spec, "own code", &error);
	must(error, "generate");
	if (block)
		block->flags &= ~CODE_TRAMPOLINE;
	code_pool_publish();
	ftrace_unlock();
	return block;
}

/* By our poll or by the kernel's. */
static bool is_gone_soon(const struct ftrace_ops *gone)
{
	for (unsigned int ms = 0; ftrace_ops_is_registered(gone) && ms < 10000; ms++) {
		baretrace_poll();
		thread_sleep_ms(1);
	}
	return !ftrace_ops_is_registered(gone);
}

DEFINE_TEST(ftrace_through_own_code)
{
	static const unsigned int flags[] = { FTRACE_OPS_FL_LEAF, FTRACE_OPS_FL_DIRECT };
	struct code_block *block = make_code();

	for (unsigned int i = 0; block && i < ARRAY_SIZE(flags); i++) {
		make(&op, (ftrace_func_t)block->start, flags[i]);
		must(register_ftrace_function(&op), "register");
		from_within = polled_within = 0;
		report(ft_tracee_0(1) == 1 && from_within == -EBUSY, "%s: %d", i ? "direct" : "leaf", from_within);
		report(put_off == 0 && polled_within == 0 && there_within, "put off, it stays while it runs");
		report(is_gone_soon(&op), "and goes afterwards");
		ftrace_free_filter(&op);
	}
	if (block)
		code_pool_free(block);
}
