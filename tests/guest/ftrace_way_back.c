// SPDX-License-Identifier: MIT
/*
 * Where a context keeps its way back into a trampoline that goes: in a register, or on
 * the shadow stack. Each place must be looked at while it is the only one; and what is
 * no return address must not be taken for one (way_back.h).
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"
#include "tests/guest/way_back.h"

#include "arch/fgraph.h"
#include "base/errno.h"
#include "base/string.h"
#include "core/dispatch.h"
#include "core/fgraph.h"
#include "core/ftrace.h"
#include "core/quiesce.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"

#define ROUNDS		3	/* of looking, before a context goes on */
#define TOO_MANY	60	/* rounds for contexts that are not inside */
#define SECONDS		5

struct way_back way_back;

static unsigned long rounds_before;
static bool is_over;

static unsigned long rounds_now(void)
{
	struct quiesce_stats s;

	quiesce_stats(&s);
	return s.rounds;
}

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static void start(struct ftrace_ops *op, const char *function)
{
	must(ftrace_set_filter(op, function, true) < 1, "filter");
	must(register_ftrace_function(op), "register");
}

static void stop(struct ftrace_ops *op)
{
	must(unregister_ftrace_function(op), "unregister");
	ftrace_free_filter(op);
}

static void lose_site(struct ftrace_ops *op)
{
	must(ftrace_set_filter(op, "ft_tracee_1", true) != 1, "filter");
}

static void change_design(struct ftrace_ops *unused)
{
	bool walks = !strcmp(dispatch_current()->name, "list");

	must(dispatch_select(walks ? "set" : "list"), "select");
}

static void wait_for_rounds(unsigned long n)
{
	u64 end = board_clock() + SECONDS * board_clock_hz();

	while (!READ_ONCE(is_over) && rounds_now() < rounds_before + n && board_clock() < end)
		thread_yield();
}

/* ---- who is inside ------------------------------------------------------------------- */

static int enter(void *arg)
{
	return ft_tracee_0(1) != 1;
}

static int let_go(void *arg)
{
	wait_for_rounds(ROUNDS);
	WRITE_ONCE(way_back.leave, 1u);
	return 0;
}

/* A thread is somewhere below the trampoline of ft_tracee_0 when that goes, with @op or by @how. */
static void take_away(const char *place, void (*how)(struct ftrace_ops *op), struct ftrace_ops *op)
{
	struct thread *inside, *guide;

	way_back = (struct way_back){ 0 };
	is_over = false;
	inside = thread_create("inside", enter, NULL, smp_online() - 1);
	while (!READ_ONCE(way_back.inside))
		thread_yield();
	rounds_before = rounds_now();
	guide = thread_create("guide", let_go, NULL, THREAD_ANY_CPU);
	how(op);
	report(READ_ONCE(way_back.left), "%s: seen for %lu rounds", place, rounds_now() - rounds_before);
	WRITE_ONCE(is_over, true);
	must(guide ? thread_join(guide) : -ENOMEM, "guide");
	must(inside ? thread_join(inside) : -ENOMEM, "inside");
}

static notrace void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
}

/* lr has the way back, where there is one. */
static void in_a_callback(void)
{
	static struct ftrace_ops op = { .func = (ftrace_func_t)way_back_callee };

	start(&op, "ft_tracee_0");
	take_away("in a callback", stop, &op);
}

static struct ftrace_ops leaf = { .func = (ftrace_func_t)way_back_leaf, .flags = FTRACE_OPS_FL_LEAF };

/* Another op's leaf, called from the trampoline that goes, or in front of what goes from there. */
static void in_a_leaf(void)
{
	static struct ftrace_ops op = { .func = nothing };

	start(&leaf, "ft_tracee_[01]");
	start(&op, "ft_tracee_[01]");
	take_away("in a leaf when the design goes", change_design, NULL);
	change_design(NULL);
	take_away("in a leaf when it loses the site", lose_site, &op);
	lose_site(&leaf);
	must(unregister_ftrace_function(&op), "unregister");
	start(&op, "ft_tracee_0");
	must(ftrace_set_filter(&leaf, "ft_tracee_0", false) != 1, "filter");
	take_away("in a leaf beside it", stop, &op);
	stop(&leaf);
}

/* ---- callbacks that are traced themselves ----------------------------------------------- */

static noinline void way_back_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				       struct ftrace_regs *fregs)
{
	barrier();
}

/* At the callback's own site, where nothing of it is on the stack yet. */
static void at_a_callbacks_site(const char *place, struct ftrace_ops *other)
{
	static struct ftrace_ops op = { .func = way_back_callback };

	start(&op, "ft_tracee_0");
	start(other, "way_back_callback");
	take_away(place, stop, &op);
	stop(other);
}

static notrace int want_return(struct ftrace_graph_ent *trace, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return 1;
}

static notrace void stay(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	WRITE_ONCE(way_back.inside, 1u);
	while (!READ_ONCE(way_back.leave))
		cpu_relax();
	WRITE_ONCE(way_back.left, 1u);
}

static void start_graph(struct fgraph_ops *graph, const char *function)
{
	must(ftrace_set_filter(&graph->ops, function, true) != 1, "filter");
	must(register_ftrace_graph(graph), "graph");
}

static void stop_graph(struct ftrace_ops *op)
{
	must(unregister_ftrace_graph(container_of(op, struct fgraph_ops, ops)), "graph");
	ftrace_free_filter(op);
}

/* The callback has returned, to where the function graph has planted. */
static void in_a_return_handler(void)
{
	static struct fgraph_ops graph = { .entryfunc = want_return, .retfunc = stay };
	static struct ftrace_ops op = { .func = way_back_callback };

	start_graph(&graph, "way_back_callback");
	start(&op, "ft_tracee_0");
	take_away("at its callback's return", stop, &op);
	stop_graph(&graph.ops);
}

static noinline void way_back_handler(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	barrier();
}

/* The graph user goes itself. */
static void at_a_handlers_site(void)
{
	static struct fgraph_ops graph = { .entryfunc = want_return, .retfunc = way_back_handler };

	start(&leaf, "way_back_handler");
	start_graph(&graph, "ft_tracee_0");
	take_away("at its handler's site", stop_graph, &graph.ops);
	stop(&leaf);
}

DEFINE_TEST(ftrace_way_back)
{
	static struct ftrace_ops direct = {
		.func = (ftrace_func_t)way_back_direct, .flags = FTRACE_OPS_FL_DIRECT,
	};

	in_a_callback();
	in_a_leaf();
	at_a_callbacks_site("in a leaf at its callback's site", &leaf);
	at_a_callbacks_site("in direct code at its callback's site", &direct);
	if (!arch_fgraph_supported())
		return;
	in_a_return_handler();
	at_a_handlers_site();
}

/* ---- who is not ------------------------------------------------------------------------- */

static struct spinner {
	struct thread *thread;
	unsigned long word;
	unsigned int inside;
} spinners[2 * MAX_CPUS];

static unsigned int enough;

static int spin(void *arg)
{
	struct spinner *s = arg;

	way_back_nowhere(s->word, &enough, &s->inside);
	return 0;
}

static int lose_patience(void *arg)
{
	while (!READ_ONCE(is_over) && rounds_now() < rounds_before + TOO_MANY)
		thread_yield();
	WRITE_ONCE(enough, 1u);
	return 0;
}

/* Two threads a CPU that never yield: one runs, the other is suspended. */
DEFINE_TEST(ftrace_dead_registers)
{
	static struct ftrace_ops op = { .func = nothing };
	struct thread *patience;
	unsigned int n;

	enough = 0;
	is_over = false;
	start(&op, "ft_tracee_0");
	for (n = 0; n < 2 * smp_online(); n++) {
		spinners[n].word = site_target(site_of_function((unsigned long)ft_tracee_0)) + 8;
		spinners[n].inside = 0;
		spinners[n].thread = thread_create("spin", spin, &spinners[n], n / 2);
		while (!READ_ONCE(spinners[n].inside))
			thread_yield();
	}
	rounds_before = rounds_now();
	patience = thread_create("patience", lose_patience, NULL, THREAD_ANY_CPU);
	stop(&op);
	report(rounds_now() - rounds_before < TOO_MANY, "addresses in dead registers: %lu rounds",
	       rounds_now() - rounds_before);
	WRITE_ONCE(is_over, true);
	must(patience ? thread_join(patience) : -ENOMEM, "patience");
	while (n--)
		must(spinners[n].thread ? thread_join(spinners[n].thread) : -ENOMEM, "spinner");
}
