// SPDX-License-Identifier: MIT
/*
 * Hooks that come and go under calling CPUs (ftrace_callers.h): no call is lost or goes
 * to the wrong op, and nothing is touched after unregister has returned.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_callers.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/dispatch.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "core/ops_set.h"
#include "core/quiesce.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static void filter(struct ftrace_ops *op, const char *pattern, int expected)
{
	int ret = ftrace_set_filter(op, pattern, true);

	if (ret != expected)
		report(false, "filter %s: %d", pattern, ret);
}

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	atomic_inc((unsigned long *)op->private);
}

static void show_quiesce_stats(void)
{
	struct quiesce_stats s;

	quiesce_stats(&s);
	report_info("quiesce since boot: %lu calls, %lu rounds, %lu again, at most %lu for one", s.calls,
		    s.rounds, s.retries, s.most_rounds);
}

/* ---- exact counts under load --------------------------------------------------------- */

DEFINE_TEST(ftrace_smp_counts)
{
	static struct ftrace_ops ops[3];
	static unsigned long counts[3];
	static const unsigned int flags[] = { 0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_ALL };
	unsigned long calls;

	for (unsigned int nr = 1; nr <= ARRAY_SIZE(ops); nr++) {
		for (unsigned int i = 0; i < nr; i++) {
			counts[i] = 0;
			ops[i] = (struct ftrace_ops) { .func = count, .flags = flags[i], .private = &counts[i] };
			filter(&ops[i], "ft_tracee_*", NR_FT_TRACEES);
			must(register_ftrace_function(&ops[i]), "register");
		}
		ftrace_callers_start(cmdline_number("calls", 3000, 1, 100000000));
		calls = ftrace_callers_join() * NR_FT_TRACEES;
		for (unsigned int i = 0; i < nr; i++) {
			must(unregister_ftrace_function(&ops[i]), "unregister");
			ftrace_free_filter(&ops[i]);
			report(counts[i] + ops[i].recursed == calls, "%u ops: op %u called %lu of %lu times",
			       nr, i, counts[i], calls);
		}
	}
}

/* ---- one op stays while others come and go --------------------------------------------- */

static unsigned long nr_stray;

/* An op that may be called for its own functions only; they are marked in a bit mask. */
struct picky {
	unsigned long allowed;	/* tracees */
	unsigned long calls;
};

static unsigned long tracee_ips[NR_FT_TRACEES];

static void find_tracees(void)
{
	for (int i = 0; i < NR_FT_TRACEES; i++)
		tracee_ips[i] = site_of_function((unsigned long)ft_tracees[i])->ip;
}

static notrace int number_of(unsigned long ip)
{
	for (int i = 0; i < NR_FT_TRACEES; i++) {
		if (ip == tracee_ips[i])
			return i;
	}
	return -1;
}

static notrace void pick(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	struct picky *picky = op->private;
	int number = number_of(ip);

	if (number < 0 || !(smp_load_acquire(&picky->allowed) >> number & 1))
		atomic_inc(&nr_stray);
	atomic_inc(&picky->calls);
}

DEFINE_TEST(ftrace_stays)
{
	static unsigned long kept;
	static struct picky picky = { .allowed = 1 << 1 };
	static struct ftrace_ops stays = { .func = count, .private = &kept, .name = "stays" };
	static struct ftrace_ops comes = { .func = pick, .private = &picky, .name = "comes" };
	unsigned long flips = cmdline_number("flips", 12, 1, 1000000), calls, n;
	u64 hash = text_hash();

	find_tracees();
	nr_stray = 0;
	kept = 0;
	filter(&stays, "ft_tracee_[01]", 2);
	filter(&comes, "ft_tracee_1", 1);
	must(register_ftrace_function(&stays), "register");
	ftrace_callers_start(0);
	for (n = 0; n < flips; n++) {
		comes.flags = n % 2 ? FTRACE_OPS_FL_SAVE_REGS : 0;
		must(register_ftrace_function(&comes), "register");
		thread_yield();
		must(unregister_ftrace_function(&comes), "unregister");
	}
	calls = ftrace_callers_stop();
	must(unregister_ftrace_function(&stays), "unregister");
	report(kept == 2 * calls, "the op that stays has %lu of %lu calls", kept, 2 * calls);
	report(!nr_stray && picky.calls, "%lu calls to the other one, %lu stray", picky.calls, nr_stray);
	report(text_hash() == hash, "text is as it was after %lu flips", flips);
	show_quiesce_stats();
	ftrace_free_filter(&stays);
	ftrace_free_filter(&comes);
}

/* ---- the design changes while ops are registered ------------------------------------------- */

DEFINE_TEST(ftrace_designs)
{
	static unsigned long counts[2];
	static struct ftrace_ops ops[2];
	const char *before = dispatch_current()->name;
	unsigned long flips = cmdline_number("flips", 12, 1, 1000000), calls, n;
	u64 hash = text_hash();

	for (n = 0; n < ARRAY_SIZE(ops); n++) {
		counts[n] = 0;
		ops[n] = (struct ftrace_ops) { .func = count, .private = &counts[n] };
		filter(&ops[n], n ? "ft_tracee_[01]" : "ft_tracee_*", n ? 2 : 4);
		must(register_ftrace_function(&ops[n]), "register");
	}
	ftrace_callers_start(0);
	for (n = 0; n < flips; n++) {
		must(dispatch_select(n % 2 ? "list" : "set"), "select");
		thread_yield();
	}
	calls = ftrace_callers_stop();
	must(dispatch_select(before), "select");
	for (n = 0; n < ARRAY_SIZE(ops); n++) {
		must(unregister_ftrace_function(&ops[n]), "unregister");
		ftrace_free_filter(&ops[n]);
	}
	report(counts[0] == 4 * calls && counts[1] == 2 * calls, "%lu and %lu calls of %lu", counts[0],
	       counts[1], calls);
	report(text_hash() == hash, "text is as it was after %lu changes", flips);
	show_quiesce_stats();
}

/* ---- filters change while it is called ---------------------------------------------------- */

DEFINE_TEST(ftrace_filter_race)
{
	static const char *const patterns[] = { "ft_tracee_[01]", "ft_tracee_[12]", "ft_tracee_3" };
	static const unsigned long masks[] = { 3, 6, 8 };
	static struct picky picky, other = { .allowed = 1 << 2 };
	static struct ftrace_ops changes = { .func = pick, .private = &picky };
	static struct ftrace_ops stays = { .func = pick, .private = &other };
	unsigned long n, i = 0, calls, before;
	u64 hash = text_hash();

	find_tracees();
	nr_stray = 0;
	filter(&stays, "ft_tracee_2", 1);
	filter(&changes, patterns[0], 2);
	picky.allowed = masks[0];
	must(register_ftrace_function(&changes), "register");
	must(register_ftrace_function(&stays), "register");
	before = other.calls;
	ftrace_callers_start(0);
	for (n = 0; n < cmdline_number("flips", 12, 1, 1000000); n++) {
		i = (i + 1) % ARRAY_SIZE(patterns);
		/* Old and new while it changes; the new one alone once it has returned. */
		smp_store_release(&picky.allowed, picky.allowed | masks[i]);
		filter(&changes, patterns[i], i == 2 ? 1 : 2);
		smp_store_release(&picky.allowed, masks[i]);
		thread_yield();
	}
	calls = ftrace_callers_stop();
	report(other.calls - before == calls, "the other op has %lu of %lu calls", other.calls - before,
	       calls);
	report(!nr_stray && picky.calls, "%lu calls while the filter changed, %lu stray", picky.calls,
	       nr_stray);
	must(unregister_ftrace_function(&changes), "unregister");
	must(unregister_ftrace_function(&stays), "unregister");
	report(text_hash() == hash, "text is as it was");
	ftrace_free_filter(&changes);
	ftrace_free_filter(&stays);
}

/* ---- unregister returns only when nobody is inside ------------------------------------------ */

#define INSIDE_ROUNDS	3
#define INSIDE_SECONDS	5

static unsigned int nr_inside, nr_entered;
static unsigned long rounds_before;

static notrace unsigned long rounds_now(void)
{
	struct quiesce_stats s;

	quiesce_stats(&s);
	return s.rounds;
}

/* In here until it has been looked for some times; who does not wait is caught. */
static notrace void stay_inside(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	u64 end = board_clock() + board_clock_hz() * INSIDE_SECONDS;

	atomic_inc(&nr_inside);
	atomic_inc(&nr_entered);
	while (rounds_now() < READ_ONCE(rounds_before) + INSIDE_ROUNDS && board_clock() < end)
		cpu_relax();
	atomic_dec(&nr_inside);
}

static int enter_once(void *arg)
{
	return ft_tracee_0(0) != 0;
}

static struct ftrace_ops slow, second;

/* Every CPU enters @slow at ft_tracee_0, then the op is taken from there. */
static void wait_for_all(const char *what, int (*take_away)(void))
{
	struct thread *threads[MAX_CPUS];
	unsigned int nr = smp_online();

	nr_entered = 0;
	rounds_before = ~0ul - INSIDE_ROUNDS;
	must(register_ftrace_function(&slow), "register");
	for (unsigned int i = 0; i < nr; i++)
		threads[i] = thread_create("inside", enter_once, NULL, i);
	while (READ_ONCE(nr_entered) < nr)
		thread_yield();
	WRITE_ONCE(rounds_before, rounds_now());
	must(take_away(), "taking it away");
	report(READ_ONCE(nr_inside) == 0, "%s: %u were inside, %u still are", what, nr, READ_ONCE(nr_inside));
	for (unsigned int i = 0; i < nr; i++)
		must(threads[i] ? thread_join(threads[i]) : -ENOMEM, "thread");
	ftrace_free_filter(&slow);
}

static int take_op(void)
{
	return unregister_ftrace_function(&slow);
}

/* The set lives on at another site. */
static int take_site(void)
{
	int ret = ftrace_set_filter(&slow, "ft_tracee_1", true);

	report(READ_ONCE(nr_inside) == 0, "one site less: %u still are inside", READ_ONCE(nr_inside));
	return ret == 1 ? unregister_ftrace_function(&slow) : -EINVAL;
}

/* It goes on at all its sites, with lists that are new; its callbacks may be reading the old ones. */
static int take_filters(void)
{
	int more = ftrace_set_filter(&slow, "ft_tracee_1", false), without;

	report(more == 1 && READ_ONCE(nr_inside) == 0, "a site more: %u still are inside", READ_ONCE(nr_inside));
	without = ftrace_set_notrace(&slow, "ft_tracee_2", true);
	report(without == 1, "a site that it never had is excluded");
	return unregister_ftrace_function(&slow);
}

/* Its trampoline goes and another design's comes. */
static int take_design(void)
{
	bool walks = !strcmp(dispatch_current()->name, "list");
	int err = dispatch_select(walks ? "set" : "list");

	report(READ_ONCE(nr_inside) == 0, "another design: %u still are inside", READ_ONCE(nr_inside));
	must(dispatch_select(walks ? "list" : "set"), "select");
	return err ? err : unregister_ftrace_function(&slow);
}

static void make_slow(unsigned int flags, ftrace_func_t func, const char *pattern, int nr)
{
	slow = (struct ftrace_ops){ .func = func, .flags = flags };
	filter(&slow, pattern, nr);
}

static void wait_beside_another(void)
{
	static unsigned long counted;

	second = (struct ftrace_ops){ .func = count, .private = &counted };
	filter(&second, "ft_tracee_0", 1);
	must(register_ftrace_function(&second), "register");
	make_slow(0, stay_inside, "ft_tracee_0", 1);
	wait_for_all("beside another", take_op);
	must(unregister_ftrace_function(&second), "unregister");
	ftrace_free_filter(&second);
}

/* Code of the op's own that keeps every register and takes its time. */
static struct code_block *make_slow_code(void)
{
	static const struct trampoline_call call = { .func = (unsigned long)stay_inside };
	struct trampoline_spec spec = { .calls = &call, .nr_calls = 1 };
	struct code_block *block = NULL;
	int error = ftrace_lock();

	if (!error) {
		block = dispatch_generate(&spec, "slow code", &error);
		ftrace_unlock();
	}
	must(error, "generate");
	code_pool_publish();
	return block;
}

static void wait_for_code(unsigned int flags, const char *what)
{
	struct code_block *block = make_slow_code();

	if (!block)
		return;
	make_slow(flags, (ftrace_func_t)block->start, "ft_tracee_0", 1);
	wait_for_all(what, take_op);
	code_pool_free(block);
}

DEFINE_TEST(ftrace_waits)
{
	struct quiesce_stats before, after;

	quiesce_stats(&before);
	make_slow(0, stay_inside, "ft_tracee_0", 1);
	wait_for_all("alone", take_op);
	wait_beside_another();
	make_slow(0, stay_inside, "ft_tracee_[01]", 2);
	wait_for_all("a site that it lost", take_site);
	make_slow(0, stay_inside, "ft_tracee_0", 1);
	wait_for_all("its trampoline", take_design);
	make_slow(FTRACE_OPS_FL_SELF_FILTER, stay_inside, "ft_tracee_0", 1);
	wait_for_all("its filters", take_filters);
	wait_for_code(FTRACE_OPS_FL_LEAF, "a leaf");
	wait_for_code(FTRACE_OPS_FL_DIRECT, "a direct one");
	quiesce_stats(&after);
	report(after.retries >= before.retries + 7 * (INSIDE_ROUNDS - 1), "%lu rounds, %lu of them again",
	       after.rounds - before.rounds, after.retries - before.retries);
	report(after.longest, "the longest took %llu ticks", (unsigned long long)after.longest);
}

/* ---- unregistered by several -------------------------------------------------------------------- */

/* Several threads want the same op gone: one of them has done it, the others are told. */
static struct ftrace_ops wanted = { .func = count };
static unsigned int nr_done, nr_told;

static int unregister_one(void *arg)
{
	int err = unregister_ftrace_function(&wanted);

	if (err == 0)
		atomic_inc(&nr_done);
	else if (err == -ENOENT)
		atomic_inc(&nr_told);
	return 0;
}

DEFINE_TEST(ftrace_unregister_race)
{
	static unsigned long counted;
	struct thread *threads[4];

	wanted.private = &counted;
	nr_done = nr_told = 0;
	for (unsigned int n = 0; n < 5; n++) {
		filter(&wanted, "ft_tracee_*", NR_FT_TRACEES);
		must(register_ftrace_function(&wanted), "register");
		for (unsigned int i = 0; i < ARRAY_SIZE(threads); i++)
			threads[i] = thread_create("race", unregister_one, NULL, THREAD_ANY_CPU);
		for (unsigned int i = 0; i < ARRAY_SIZE(threads); i++)
			must(threads[i] ? thread_join(threads[i]) : -ENOMEM, "thread");
	}
	report(nr_done == 5 && nr_told == 15, "%u done, %u told that it is gone", nr_done, nr_told);
	ftrace_free_filter(&wanted);
}

/* ---- everything on --------------------------------------------------------------------------------- */

DEFINE_TEST(ftrace_everything)
{
	static unsigned long counted;
	static struct ftrace_ops op = { .func = count };
	u64 hash = text_hash();
	unsigned long sites = 0;

	op.private = &counted;
	must(register_ftrace_function(&op), "register");
	for (unsigned int i = 0; i < nr_sites(); i++)
		sites += site_target(site_at(i)) != 0;
	report(sites == nr_sites() - site_stats()->unreachable, "%lu of %u sites are on", sites, nr_sites());
	ftrace_callers_start(500);
	ftrace_callers_join();
	thread_sleep_ms(30);
	must(unregister_ftrace_function(&op), "unregister");
	report(counted > 500 * NR_FT_TRACEES, "%lu calls in the whole kernel", counted);
	report(text_hash() == hash, "text is as it was");
}
