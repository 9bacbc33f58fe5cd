// SPDX-License-Identifier: MIT
/*
 * Backtraces with planted return addresses on the stack: the same callers as with
 * tracing off, from handlers, from interrupts in hooked functions, and from
 * interrupts at whatever instruction of the graph's own code they hit.
 */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/atomic.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "core/stacktrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"

#define REPORT_FAILURE(cond, ...) do { if (!(cond)) report(false, __VA_ARGS__); } while (0)
#define MAX_DEPTH	40

/* Callers, without generated code and return paths. */
struct trace {
	unsigned int nr;
	unsigned long pc[MAX_DEPTH];
	bool in_entry, in_return;	/* it began in generated code of that kind */
	unsigned int hooks;		/* addresses in return paths: of those that call a handler alone */
};

static notrace void collect(struct trace *t, const struct pt_regs *regs)
{
	const struct code_block *block;
	struct stacktrace st;
	unsigned long pc;
	bool first = true;

	*t = (struct trace){ .nr = 0 };
	stacktrace_start(&st, regs);
	while (t->nr < MAX_DEPTH && stacktrace_next(&st, &pc)) {
		block = code_pool_find(pc);
		if (first && block)
			t->in_entry = block->flags & CODE_TRAMPOLINE;
		if (first)
			t->in_return = fgraph_in_return_code(pc);
		first = false;
		t->hooks += fgraph_in_return_code(pc);
		if (!block && !fgraph_in_return_code(pc))
			t->pc[t->nr++] = pc;
	}
}

static notrace bool is_at(const struct trace *t, unsigned int i, const char *name)
{
	struct kallsym sym;

	return i < t->nr && kallsyms_lookup(t->pc[i] - (i > 0), &sym) && strcmp(sym.name, name) == 0;
}

static notrace unsigned int find(const struct trace *t, const char *name)
{
	unsigned int i = 0;

	while (i < t->nr && !is_at(t, i, name))
		i++;
	return i;
}

static void show(const struct trace *t)
{
	for (unsigned int i = 0; i < t->nr; i++) {
		char text[80];

		kallsyms_format(text, sizeof(text), t->pc[i]);
		report_info("%u: %s", i, text);
	}
}

/* ---- at known places --------------------------------------------------------------- */

static struct trace trace, plain;

static notrace void collect_here(void)
{
	collect(&trace, NULL);
}

static notrace void collect_interrupted(void *arg)
{
	collect(&trace, baretrace_irq_regs());
}

static notrace void interrupt(void)
{
	port_soft_irq(collect_interrupted, NULL);
}

static notrace int entry_collects(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct kallsym sym;

	if (kallsyms_lookup(ent->func, &sym) && !strcmp(sym.name, gops->private))
		collect(&trace, NULL);
	return 1;
}

static notrace void return_collects(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct kallsym sym;

	if (kallsyms_lookup(ret->func, &sym) && !strcmp(sym.name, gops->private))
		collect(&trace, NULL);
}

static notrace int entry_interrupts(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct kallsym sym;

	if (kallsyms_lookup(ent->func, &sym) && !strcmp(sym.name, gops->private))
		interrupt();
	return 1;
}

static notrace void return_interrupts(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct kallsym sym;

	if (kallsyms_lookup(ret->func, &sym) && !strcmp(sym.name, gops->private))
		interrupt();
}

static notrace int entry_only_asks(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	return 1;
}

static notrace void return_nothing(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
}

/*
 * The chains from a function up must be equal, but for the place inside it; the test
 * itself makes its calls from different places.
 */
static bool same_callers(const char *from)
{
	unsigned int a = find(&plain, from), b = find(&trace, from);
	unsigned int first = a, last = find(&plain, "call_it");
	struct kallsym x, y;

	if (last == plain.nr || a == plain.nr || plain.nr - a != trace.nr - b)
		return false;
	for (; a < plain.nr; a++, b++) {
		if (plain.pc[a] != trace.pc[b] && a > first && a <= last)
			return false;
		if (!kallsyms_lookup(plain.pc[a] - 1, &x) || !kallsyms_lookup(trace.pc[b] - 1, &y) || x.addr != y.addr)
			return false;
	}
	return true;
}

static __attribute__((noipa)) unsigned long call_a(void (*hook)(void))
{
	unsigned long result;

	fg_hook = hook;
	result = fg_a(1);
	fg_hook = NULL;
	return result;
}

static struct fgraph_ops graph[2];

static void register_with(unsigned int users, trace_func_graph_ent_t entry, trace_func_graph_ret_t exit, const char *at)
{
	for (unsigned int i = 0; i < users; i++) {
		ftrace_free_filter(&graph[i].ops);
		graph[i] = (struct fgraph_ops){ .private = (void *)at };
		/* The one that looks is the first or the only one. */
		graph[i].entryfunc = i ? entry_only_asks : entry;
		graph[i].retfunc = i ? return_nothing : exit;
		REPORT_FAILURE(ftrace_set_filter(&graph[i].ops, "fg_*", true) > 0, "filter");
		REPORT_FAILURE(!register_ftrace_graph(&graph[i]), "user %u", i);
	}
}

static void drop(unsigned int users)
{
	for (unsigned int i = 0; i < users; i++)
		REPORT_FAILURE(!unregister_ftrace_graph(&graph[i]), "user %u leaves", i);
}

static __attribute__((noipa)) unsigned long call_it(void (*hook)(void))
{
	unsigned long result = call_a(hook);

	barrier();
	return result;
}

/* Called once with tracing off, then with it on. */
static void compare(unsigned int users, trace_func_graph_ent_t entry, trace_func_graph_ret_t exit,
		    void (*hook)(void), void (*plain_hook)(void), const char *from, const char *what)
{
	for (unsigned int on = 0; on < 2; on++) {
		trace.nr = 0;
		if (on)
			register_with(users, entry, exit, from);
		REPORT_FAILURE(call_it(on ? hook : plain_hook) == 4, "result");
		if (on)
			drop(users);
		else
			plain = trace;
	}
	report(same_callers(from) && !trace.hooks, "%s, %u users: callers as with tracing off", what, users);
	if (!same_callers(from)) {
		show(&plain);
		show(&trace);
	}
}

DEFINE_TEST(fgraph_backtrace)
{
	for (unsigned int users = 1; users <= 2; users++) {
		compare(users, entry_only_asks, return_nothing, collect_here, collect_here, "fg_c",
			"in a function called by three hooked ones");
		compare(users, entry_only_asks, return_nothing, interrupt, interrupt, "fg_c",
			"an interrupt in the third hooked function");
		compare(users, entry_collects, return_nothing, NULL, collect_here, "fg_b", "in an entry handler");
		compare(users, entry_interrupts, return_nothing, NULL, interrupt, "fg_b",
			"an interrupt in an entry handler");
	}
}

/* A function that has returned is no caller any more: from its own caller up. */
static void compare_return(unsigned int users, trace_func_graph_ret_t exit, const char *what)
{
	trace.nr = 0;
	REPORT_FAILURE(call_it(collect_here) == 4, "result");
	plain = trace;
	register_with(users, entry_only_asks, exit, "fg_c");
	REPORT_FAILURE(call_it(NULL) == 4, "result");
	drop(users);
	report(same_callers("fg_b") && find(&trace, "fg_c") == trace.nr && trace.hooks == 1,
	       "%s, %u users: callers as with tracing off", what, users);
	if (!same_callers("fg_b")) {
		show(&plain);
		show(&trace);
	}
}

DEFINE_TEST(fgraph_backtrace_return)
{
	for (unsigned int users = 1; users <= 2; users++) {
		compare_return(users, return_collects, "in a return handler");
		compare_return(users, return_interrupts, "an interrupt in a return handler");
	}
}

static __attribute__((noipa)) unsigned long call_tail(void)
{
	unsigned long result;

	fg_hook = collect_here;
	result = fg_tail[0](1);
	fg_hook = NULL;
	return result;
}

DEFINE_TEST(fgraph_backtrace_tail)
{
	for (unsigned int users = 1; users <= 2; users++) {
		register_with(users, entry_only_asks, return_nothing, "");
		REPORT_FAILURE(call_tail() == FG_TAILS + 1, "result");
		drop(users);
		report(find(&trace, "call_tail") == find(&trace, "fg_tail_49") + 1,
		       "at the end of a chain of tail calls, %u users: its last function, then the caller", users);
		if (find(&trace, "call_tail") == trace.nr)
			show(&trace);
	}
}

/* ---- at any place -------------------------------------------------------------------- */

static unsigned long nr_samples, nr_entry, nr_return, nr_wrong;
static bool sampling;
static struct trace_state *loop_state;	/* while it runs */
static struct trace first_wrong;

/* Outermost first: sample_loop, fg_a, fg_b, fg_c without gaps, and none of them again. */
static notrace bool is_right(const struct trace *t)
{
	static const char *const names[] = { "sample_loop", "fg_a", "fg_b", "fg_c" };
	unsigned int i = find(t, names[0]) + 1, k = 0;

	if (i > t->nr)
		return false;
	while (i > 0 && k < ARRAY_SIZE(names) && is_at(t, i - 1, names[k])) {
		i--;
		k++;
	}
	while (i-- > 0)
		for (k = 0; k < ARRAY_SIZE(names); k++)
			if (is_at(t, i, names[k]))
				return false;
	return true;
}

static notrace void sample(void *arg)
{
	struct trace t;

	/* Threads other than the loop may have the CPU. */
	if (!baretrace_irq_regs() || READ_ONCE(loop_state) != host_trace_state())
		return;
	/* Hooked: its frame lies where one that was just taken down lay. */
	nr_wrong += fg_deep(2) != 2;
	collect(&t, baretrace_irq_regs());
	nr_samples++;
	nr_entry += t.in_entry;
	nr_return += t.in_return;
	if (is_right(&t))
		return;
	if (!nr_wrong++)
		first_wrong = t;
}

static int sampler(void *arg)
{
	while (READ_ONCE(sampling))
		smp_on_each_cpu(sample, NULL, HOST_ROUND_TEXT);
	return 0;
}

static notrace void sample_tick(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	sample(NULL);
}

static __attribute__((noipa)) notrace unsigned long sample_loop(u64 end)
{
	unsigned long wrong = 0;

	WRITE_ONCE(loop_state, host_trace_state());
	while (board_clock() < end)
		for (unsigned long i = 0; i < 100; i++)
			wrong += fg_a(i) != i + 3;
	WRITE_ONCE(loop_state, NULL);
	return wrong;
}

static int run_loop(void *arg)
{
	u64 ms = cmdline_number("ms", 1000, 10, 1000000);

	return (int)sample_loop(board_clock() + ms * board_clock_hz() / 1000);
}

static void sample_with(unsigned int users)
{
	struct ftrace_ops tick = { .func = sample_tick };
	struct thread *loop, *source = NULL;
	int wrong;

	nr_samples = nr_entry = nr_return = nr_wrong = 0;
	register_with(users, entry_only_asks, return_nothing, "");
	REPORT_FAILURE(ftrace_set_filter(&tick, "kernel_tick", true) == 1, "filter");
	REPORT_FAILURE(!register_ftrace_function(&tick), "ticks");
	WRITE_ONCE(sampling, true);
	loop = thread_create("loop", run_loop, NULL, 0);
	if (smp_online() > 1)
		source = thread_create("sampler", sampler, NULL, 1);
	wrong = thread_join(loop);
	WRITE_ONCE(sampling, false);
	if (source)
		thread_join(source);
	REPORT_FAILURE(!unregister_ftrace_function(&tick), "ticks");
	ftrace_free_filter(&tick);
	drop(users);
	report(!wrong && nr_samples, "%d wrong results, %lu samples", wrong, nr_samples);
	report(!nr_wrong, "%u users: %lu backtraces (%lu from entries, %lu from return paths), %lu wrong", users,
	       nr_samples, nr_entry, nr_return, nr_wrong);
	if (nr_wrong)
		show(&first_wrong);
}

DEFINE_TEST(fgraph_backtrace_anywhere)
{
	sample_with(1);
	sample_with(2);
}
