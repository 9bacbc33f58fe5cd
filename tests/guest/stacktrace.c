// SPDX-License-Identifier: MIT
/*
 * Backtraces: the same chain of callers with tracing off, from inside callbacks of
 * every kind of trampoline, and through interrupts.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/kallsyms.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/ftrace.h"
#include "core/stacktrace.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"

#define MAX_DEPTH	32

struct trace {
	unsigned int nr, nr_trampolines;
	unsigned long pcs[MAX_DEPTH];
};

static notrace void collect(struct trace *t, const struct pt_regs *regs)
{
	struct stacktrace st;
	unsigned long pc;

	*t = (struct trace) { .nr = 0 };
	stacktrace_start(&st, regs);
	while (t->nr < MAX_DEPTH && stacktrace_next(&st, &pc)) {
		if (code_pool_find(pc))
			t->nr_trampolines++;
		else
			t->pcs[t->nr++] = pc;
	}
}

/* Is entry i of the trace in this function? An entry may be a return address behind its end. */
static bool is_at(const struct trace *t, unsigned int i, const char *name)
{
	struct kallsym sym;

	return i < t->nr && kallsyms_lookup(t->pcs[i] - (i > 0), &sym) && strcmp(sym.name, name) == 0;
}

/* Where the functions stand one behind the other; MAX_DEPTH when they do not. */
static unsigned int find_chain(const struct trace *t, const char *const *names, unsigned int nr)
{
	for (unsigned int i = 0; i < t->nr; i++) {
		unsigned int k = 0;

		while (k < nr && is_at(t, i + k, names[k]))
			k++;
		if (k == nr)
			return i;
	}
	return MAX_DEPTH;
}

static void show(const struct trace *t)
{
	for (unsigned int i = 0; i < t->nr; i++) {
		char text[80];

		kallsyms_format(text, sizeof(text), t->pcs[i]);
		report_info("%u: %s", i, text);
	}
}

static void expect_chain(const struct trace *t, const char *const *names, unsigned int nr, const char *what)
{
	bool found = find_chain(t, names, nr) < MAX_DEPTH;

	report(found, "%s: the chain of callers is whole", what);
	if (!found)
		show(t);
}

/* ---- from callbacks ------------------------------------------------------------- */

static struct trace seen;

static notrace void look(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	collect(&seen, NULL);
	barrier();	/* no tail call */
}

static notrace void ignore(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			   struct ftrace_regs *fregs)
{
}

static const char *const chain[] = { "ft_inner", "ft_middle", "ft_outer", "call_chain" };

static noinline __attribute__((noclone)) void call_chain(void *unused)
{
	if (ft_outer(1) != 4)
		report(false, "result");
}

/* The functions outside the callback are hooked as well or not, the site has one op or two. */
static void look_with(unsigned int flags, const char *pattern, bool shared)
{
	struct ftrace_ops looks = { .func = look, .flags = flags, .name = "looks" };
	struct ftrace_ops ignores = { .func = ignore, .name = "ignores" };
	int err = ftrace_set_filter(&looks, "ft_inner", true) != 1;

	if (!err)
		err = ftrace_set_filter(&ignores, pattern, true) < 0;
	if (!err)
		err = register_ftrace_function(&looks);
	if (!err && shared)
		err = register_ftrace_function(&ignores);
	report(!err, "flags %x, %s: %d", flags, shared ? pattern : "one op", err);
	call_chain(NULL);
	expect_chain(&seen, chain, ARRAY_SIZE(chain), "in a callback");
	report(is_at(&seen, 0, "collect") && find_chain(&seen, (const char *const[]) { "look" }, 1) == 1,
	       "it begins where it was taken");
	report(seen.nr_trampolines == 1, "one trampoline is in it: %u", seen.nr_trampolines);
	if (shared)
		err = unregister_ftrace_function(&ignores);
	if (!err)
		err = unregister_ftrace_function(&looks);
	report(!err, "unregistered: %d", err);
	ftrace_free_filter(&looks);
	ftrace_free_filter(&ignores);
}

DEFINE_TEST(stacktrace_callback)
{
	static const unsigned int flags[] = {
		0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_ALL,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++) {
		look_with(flags[i], "ft_inner", false);
		look_with(flags[i], "ft_inner", true);
		look_with(flags[i], "ft_*", true);
	}
}

/* ---- through interrupts ------------------------------------------------------------ */

static struct trace interrupted;

static noinline void handler(void *arg)
{
	collect(&interrupted, baretrace_irq_regs());
	call_chain(NULL);
	barrier();
}

static noinline void raise(void)
{
	port_soft_irq(handler, NULL);
	barrier();
}

/* The chain in the handler, then what was interrupted, further out. */
static void expect_through_interrupt(const struct trace *t, bool with_chain)
{
	static const char *const raisers[] = { "raise", "test_stacktrace_interrupt" };
	unsigned int inner = with_chain ? find_chain(t, chain, ARRAY_SIZE(chain)) : 0;
	unsigned int outer = find_chain(t, raisers, ARRAY_SIZE(raisers));
	bool right = inner < MAX_DEPTH && outer < MAX_DEPTH && inner < outer;

	report(right, "%u functions, the handler's at %u, the interrupted at %u", t->nr, inner, outer);
	if (!right)
		show(t);
}

DEFINE_TEST(stacktrace_interrupt)
{
	struct ftrace_ops looks = { .func = look };

	report(ftrace_set_filter(&looks, "ft_inner", true) == 1, "one function");
	report(register_ftrace_function(&looks) == 0, "is hooked");
	raise();
	report(unregister_ftrace_function(&looks) == 0, "and no more");
	expect_through_interrupt(&seen, true);
	report(interrupted.nr && !baretrace_irq_regs(), "registers of what was interrupted");
	/* port_soft_irq() itself may be innermost. */
	interrupted.nr_trampolines = 0;
	expect_through_interrupt(&interrupted, false);
	ftrace_free_filter(&looks);
}

/* ---- printing ------------------------------------------------------------------------ */

static noinline int print_it(void *arg)
{
	stacktrace_print(NULL);
	return 0;
}

DEFINE_TEST(stacktrace_print)
{
	struct thread *t = thread_create("printer", print_it, NULL, THREAD_ANY_CPU);

	/* tests.cfg says which lines must be there. */
	report(t && thread_join(t) == 0, "printed");
}
