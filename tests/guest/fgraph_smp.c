// SPDX-License-Identifier: MIT
/*
 * The function graph under threads: users that come and go while all CPUs call,
 * threads that begin, sleep and end inside hooked functions, CPUs that idle, and
 * everything hooked at once.
 */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/fgraph.h"
#include "core/quiesce.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define REPORT_FAILURE(cond, ...) do { if (!(cond)) report(false, __VA_ARGS__); } while (0)
#define POISON	0x5a5a5a5aul

struct user {
	struct fgraph_ops graph;
	unsigned long alive;		/* anything but POISON */
	unsigned long entries, returns;
};

static unsigned long dead_calls;	/* of handlers whose user was gone */

static notrace int count_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct user *u = container_of(gops, struct user, graph);

	if (READ_ONCE(u->alive) == POISON)
		atomic_inc(&dead_calls);
	atomic_inc(&u->entries);
	return 1;
}

static notrace void count_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct user *u = container_of(gops, struct user, graph);

	if (READ_ONCE(u->alive) == POISON)
		atomic_inc(&dead_calls);
	atomic_inc(&u->returns);
}

static void start(struct user *u, const char *pattern)
{
	int err = 0;

	memset(u, 0, sizeof(*u));
	u->graph.entryfunc = count_entry;
	u->graph.retfunc = count_return;
	if (pattern && ftrace_set_filter(&u->graph.ops, pattern, true) < 0)
		report(false, "filter %s", pattern);
	err = register_ftrace_graph(&u->graph);
	REPORT_FAILURE(!err, "registers: %d", err);
}

/* After it nobody may touch the user: the next call that does is noticed. */
static void end(struct user *u)
{
	int err = unregister_ftrace_graph(&u->graph);

	REPORT_FAILURE(!err, "unregisters: %d", err);
	ftrace_free_filter(&u->graph.ops);
	WRITE_ONCE(u->alive, POISON);
}

/* ---- callers --------------------------------------------------------------------- */

#define MAX_CALLERS	(2 * MAX_CPUS)

struct caller {
	struct thread *thread;
	unsigned long calls, wrong;
	bool sleeps;
};
static struct caller callers[MAX_CALLERS];
static unsigned int nr_callers;
static bool stop;

static int call(void *arg)
{
	struct caller *c = arg;
	unsigned long i;

	for (i = 0; !READ_ONCE(stop); i++) {
		c->wrong += fg_a(i) != i + 3;
		c->wrong += fg_wide(i, 1) != (u64)i * 3 + 1;
		if (i % 64 == 0)
			c->wrong += fg_tail[0](i) != i + FG_TAILS;
		if (i % 512 == 0 && c->sleeps)
			thread_yield();
	}
	c->calls = i;
	return 0;
}

static void start_callers(void)
{
	WRITE_ONCE(stop, false);
	nr_callers = 2 * smp_online();
	for (unsigned int i = 0; i < nr_callers; i++) {
		callers[i] = (struct caller){ .sleeps = i & 1 };
		callers[i].thread = thread_create("graph", call, &callers[i], i / 2);
		REPORT_FAILURE(callers[i].thread, "thread %u", i);
	}
}

static void stop_callers(void)
{
	unsigned long calls = 0, wrong = 0;

	WRITE_ONCE(stop, true);
	for (unsigned int i = 0; i < nr_callers; i++) {
		thread_join(callers[i].thread);
		calls += callers[i].calls;
		wrong += callers[i].wrong;
	}
	report(calls && !wrong, "%lu calls of each, %lu wrong results", calls, wrong);
}

/* ---- users come and go --------------------------------------------------------------- */

DEFINE_TEST(fgraph_storm)
{
	unsigned long rounds = cmdline_number("rounds", 10, 1, 1000000);
	u64 hash = text_hash();
	static struct user fixed, moving[2];
	struct fgraph_stats stats;

	dead_calls = 0;
	start_callers();
	start(&fixed, "fg_[abc]");
	for (unsigned long n = 0; n < rounds; n++) {
		start(&moving[0], n & 1 ? "fg_*" : "fg_[bw]*");
		if (n % 3 == 0)
			start(&moving[1], "fg_c");
		if (n % 4 == 0)
			thread_yield();
		end(&moving[0]);
		if (n % 3 == 0)
			end(&moving[1]);
	}
	stop_callers();
	end(&fixed);
	start(&moving[0], "fg_leaf");	/* whoever comes finds the numbers of the others free */
	end(&moving[0]);
	report(!dead_calls, "%lu calls of handlers that were gone", dead_calls);
	report(fixed.entries == fixed.returns && fixed.entries, "%lu entries and %lu returns of one that stayed",
	       fixed.entries, fixed.returns);
	fgraph_stats(&stats);
	report(!stats.users && !stats.leaving, "%u users, %u leaving", stats.users, stats.leaving);
	report(text_hash() == hash, "text is as it was");
}

/* ---- off with frames outstanding --------------------------------------------------------- */

static bool asleep, wake;

static notrace void sleep_inside(void)
{
	WRITE_ONCE(asleep, true);
	while (!READ_ONCE(wake))
		thread_sleep_ms(1);
}

static int sleeper(void *arg)
{
	unsigned long *result = arg;

	*result = fg_a(5);
	*result += fg_a(5);
	return 0;
}

static struct thread *start_sleeper(unsigned long *result)
{
	struct thread *thread;

	asleep = wake = false;
	fg_hook = sleep_inside;
	thread = thread_create("sleeper", sleeper, result, THREAD_ANY_CPU);
	while (!READ_ONCE(asleep))
		thread_sleep_ms(1);
	return thread;
}

static void outstanding_with(unsigned int users)
{
	static struct user u[3];
	struct fgraph_stats stats;
	unsigned long result = 0;
	struct thread *thread;

	for (unsigned int i = 0; i < users; i++)
		start(&u[i], "fg_*");
	thread = start_sleeper(&result);
	for (unsigned int i = 0; i < users; i++)
		end(&u[i]);
	fgraph_stats(&stats);
	report(stats.leaving == users, "%u users are gone, frames of %u are left", users, stats.leaving);
	start(&u[2], "fg_leaf");
	report(fg_leaf(1) == 8 && u[2].returns == 1, "a new user meanwhile");
	end(&u[2]);
	WRITE_ONCE(wake, true);
	thread_join(thread);
	fg_hook = NULL;
	report(result == 16 && !dead_calls, "the functions returned where they should, nobody was told");
	report(u[0].entries == 3 && !u[0].returns, "%lu entries, %lu returns", u[0].entries, u[0].returns);
	start(&u[2], "fg_leaf");	/* whoever comes next finds the numbers free */
	end(&u[2]);
	fgraph_stats(&stats);
	report(!stats.leaving, "%u users leaving", stats.leaving);
}

DEFINE_TEST(fgraph_outstanding)
{
	dead_calls = 0;
	outstanding_with(1);
	outstanding_with(2);
}

/* More users than numbers while frames hold them: refused, and fine once they are gone. */
DEFINE_TEST(fgraph_numbers)
{
	static struct user u[FGRAPH_MAX_USERS + 1];
	unsigned long result = 0;
	struct thread *thread;

	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++)
		start(&u[i], "fg_[abc]");
	thread = start_sleeper(&result);
	for (unsigned int i = 0; i < FGRAPH_MAX_USERS; i++)
		end(&u[i]);
	memset(&u[FGRAPH_MAX_USERS], 0, sizeof(u[0]));
	u[FGRAPH_MAX_USERS].graph.retfunc = count_return;
	report(register_ftrace_graph(&u[FGRAPH_MAX_USERS].graph) == -ENOSPC, "all numbers are held by frames");
	WRITE_ONCE(wake, true);
	thread_join(thread);
	fg_hook = NULL;
	start(&u[0], "fg_a");
	report(result == 16 && fg_a(1) == 4 && u[0].returns == 1, "and free afterwards");
	end(&u[0]);
}

/* ---- unregistering waits for handlers ------------------------------------------------------ */

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
static notrace void stay_inside(void)
{
	u64 end = board_clock() + board_clock_hz() * INSIDE_SECONDS;

	atomic_inc(&nr_inside);
	atomic_inc(&nr_entered);
	while (rounds_now() < READ_ONCE(rounds_before) + INSIDE_ROUNDS && board_clock() < end)
		cpu_relax();
	atomic_dec(&nr_inside);
}

static notrace int slow_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	stay_inside();
	return 1;
}

static notrace void slow_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	stay_inside();
}

static int enter_once(void *arg)
{
	return fg_leaf(1) != 8;
}

static void wait_in(bool entry, bool with_another)
{
	static struct user u, other;
	struct thread *threads[MAX_CPUS];
	unsigned int wrong = 0;

	nr_entered = 0;
	rounds_before = ~0ul - INSIDE_ROUNDS;
	if (with_another)
		start(&other, "fg_leaf");
	memset(&u, 0, sizeof(u));
	u.graph.entryfunc = entry ? slow_entry : count_entry;
	u.graph.retfunc = entry ? count_return : slow_return;
	REPORT_FAILURE(ftrace_set_filter(&u.graph.ops, "fg_leaf", true) == 1, "filter");
	REPORT_FAILURE(!register_ftrace_graph(&u.graph), "register");
	for (unsigned int i = 0; i < smp_online(); i++)
		threads[i] = thread_create("inside", enter_once, NULL, i);
	while (READ_ONCE(nr_entered) < smp_online())
		thread_yield();
	WRITE_ONCE(rounds_before, rounds_now());
	end(&u);
	report(!READ_ONCE(nr_inside), "%s handler%s: %u were inside, %u still are", entry ? "entry" : "return",
	       with_another ? ", beside another's" : "", nr_entered, READ_ONCE(nr_inside));
	for (unsigned int i = 0; i < smp_online(); i++)
		wrong += thread_join(threads[i]);
	report(!wrong && !dead_calls, "%u wrong results, %lu calls of what is gone", wrong, dead_calls);
	if (with_another)
		end(&other);
}

DEFINE_TEST(fgraph_waits)
{
	dead_calls = 0;
	for (unsigned int other = 0; other < 2; other++) {
		wait_in(true, other);
		wait_in(false, other);
	}
}

/* ---- threads ------------------------------------------------------------------------------- */

static int short_life(void *arg)
{
	return fg_a(1) == 4 && fg_deep(20) == 20;
}

DEFINE_TEST(fgraph_threads)
{
	static struct user u;
	struct fgraph_stats before, after;
	unsigned int right = 0;

	start(&u, NULL);	/* all functions: thread starts and ends too */
	report(!site_target(site_of_function((unsigned long)thread_start)), "but for what never returns");
	thread_join(thread_create("first", short_life, NULL, THREAD_ANY_CPU));
	fgraph_stats(&before);
	for (unsigned int i = 0; i < 100; i++) {
		struct thread *t = thread_create("short", short_life, NULL, THREAD_ANY_CPU);

		right += thread_join(t) == 1;
	}
	fgraph_stats(&after);
	end(&u);
	report(right == 100, "%u of 100 threads ended as they should", right);
	report(after.stacks == before.stacks, "%u stacks before, %u after", before.stacks, after.stacks);
	report(after.no_stack == before.no_stack, "none was without a stack");
	report(u.entries > 100 * 25, "%lu entries", u.entries);
}

/* Ticks that arrive while a CPU idles run in its idle thread, which has a stack like all. */
static unsigned long ticks_of_cpu[MAX_CPUS];

static notrace int tick_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return 1;
}

static notrace void tick_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	ticks_of_cpu[host_cpu_id()]++;
}

DEFINE_TEST(fgraph_idle)
{
	static struct fgraph_ops graph;
	struct fgraph_stats before, after;
	unsigned int silent = 0;

	graph = (struct fgraph_ops){ .entryfunc = tick_entry, .retfunc = tick_return };
	memset(ticks_of_cpu, 0, sizeof(ticks_of_cpu));
	REPORT_FAILURE(ftrace_set_filter(&graph.ops, "kernel_tick", true) == 1, "filter");
	REPORT_FAILURE(!register_ftrace_graph(&graph), "registers");
	fgraph_stats(&before);
	thread_sleep_ms(200);
	fgraph_stats(&after);
	REPORT_FAILURE(!unregister_ftrace_graph(&graph), "unregisters");
	for (unsigned int i = 0; i < smp_online(); i++)
		silent += !ticks_of_cpu[i];
	report(!silent && after.no_stack == before.no_stack, "every idle CPU's ticks return, %u silent", silent);
}

/* ---- everything -------------------------------------------------------------------------------- */

DEFINE_TEST(fgraph_everything)
{
	static struct user u[2];
	struct fgraph_stats before, after;
	u64 hash = text_hash();

	dead_calls = 0;
	fgraph_stats(&before);
	for (unsigned int users = 1; users <= 2; users++) {
		start(&u[0], NULL);
		if (users == 2)
			start(&u[1], NULL);
		start_callers();
		thread_sleep_ms(300);
		stop_callers();
		if (users == 2)
			end(&u[1]);
		end(&u[0]);
		report(u[0].entries > 1000 && u[0].returns > 1000, "%lu entries, %lu returns",
		       u[0].entries, u[0].returns);
	}
	fgraph_stats(&after);
	report(!dead_calls && text_hash() == hash, "text is as it was, %lu calls of what is gone", dead_calls);
	report(after.abandoned == before.abandoned, "no frame was left behind");
	report(after.stacks, "%u stacks, %lu overflows, %lu without stack", after.stacks,
	       after.overflow - before.overflow, after.no_stack - before.no_stack);
}
