// SPDX-License-Identifier: MIT
/*
 * Rules of dispatch that no count of calls alone would show: equal sets are one, an op
 * that tests for itself, unregistering that is put off and fails, and each kind of op
 * once, as a port's first look at whether it works.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/fgraph.h"
#include "core/ftrace.h"
#include "core/ops_set.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define NR_OPS	4

struct rule {
	struct ftrace_ops op;
	unsigned long calls, unwanted, with_regs;
};
static struct rule rules[NR_OPS];

static notrace void note(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	struct rule *r = container_of(op, struct rule, op);

	r->calls++;
	r->unwanted += !ftrace_ops_test(op, ip);
	r->with_regs += !!ftrace_get_regs(fregs);
}

static struct ftrace_ops *make(unsigned int i, unsigned int flags, const char *pattern)
{
	ftrace_free_filter(&rules[i].op);
	rules[i] = (struct rule){ .op = { .func = note, .flags = flags } };
	if (ftrace_set_filter(&rules[i].op, pattern, true) <= 0)
		report(false, "filter %s", pattern);
	return &rules[i].op;
}

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static void leave(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		must(unregister_ftrace_function(&rules[i].op), "unregister");
		ftrace_free_filter(&rules[i].op);
	}
}

static unsigned long target(unsigned int tracee)
{
	return site_target(site_of_function((unsigned long)ft_tracees[tracee]));
}

/* ---- equal sets are one ------------------------------------------------------------ */

static unsigned long code_rounds(void)
{
	struct code_pool_stats stats;

	code_pool_stats(&stats);
	return stats.rounds;
}

/* Sites that come to the same ops at different times, and by different ways. */
DEFINE_TEST(ftrace_interned)
{
	unsigned int before = ops_set_total();
	unsigned long rounds = code_rounds();

	must(register_ftrace_function(make(0, 0, "ft_tracee_0")), "register");
	report(code_rounds() == rounds + 1, "all CPUs have its code first");
	report(ftrace_set_filter(&rules[0].op, "ft_tracee_1", false) == 1, "one site more");
	report(ops_set_total() == before + 1 && target(0) == target(1), "it has the first one's set and target");
	must(register_ftrace_function(make(1, 0, "ft_tracee_0")), "register");
	report(ops_set_total() == before + 2 && target(0) != target(1), "two sets");
	report(ftrace_set_filter(&rules[1].op, "ft_tracee_1", false) == 1, "one site more");
	report(ops_set_total() == before + 1 && target(0) == target(1), "one again");
	must(unregister_ftrace_function(&rules[0].op), "unregister");
	report(ops_set_total() == before + 1 && target(0) == target(1), "of the other op alone");
	must(register_ftrace_function(make(0, 0, "ft_tracee_2")), "register");
	report(ops_set_total() == before + 2, "another op has another");
	leave(2);
	report(ops_set_total() == before, "none is left");
}

/* ---- an op that tests for itself ----------------------------------------------------- */

DEFINE_TEST(ftrace_self_filter)
{
	bool walks = !strcmp(dispatch_current()->name, "list");

	must(register_ftrace_function(make(0, FTRACE_OPS_FL_SELF_FILTER, "ft_tracee_0")), "register");
	must(register_ftrace_function(make(1, 0, "ft_tracee_[01]")), "register");
	must(register_ftrace_function(make(2, 0, "ft_tracee_[01]")), "register");
	for (unsigned int i = 0; i < NR_FT_TRACEES; i++)
		ft_tracees[i](0);
	report(rules[0].calls - rules[0].unwanted == 1, "called where it wants to be");
	report(rules[0].unwanted == walks, "and %lu times where others do", rules[0].unwanted);
	report(rules[1].calls == 2 && rules[2].calls == 2 && !rules[1].unwanted && !rules[2].unwanted,
	       "others: %lu, %lu calls", rules[1].calls, rules[2].calls);
	leave(3);
}

/* ---- put off ---------------------------------------------------------------------------- */

static bool are_gone_soon(unsigned int nr)
{
	unsigned int left = nr;

	for (unsigned int n = 0; n < 100 && left; n++) {
		thread_sleep_ms(20);
		left = 0;
		for (unsigned int i = 0; i < nr; i++)
			left += ftrace_ops_is_registered(&rules[i].op);
	}
	return !left;
}

static void put_off_all(void *arg)
{
	for (unsigned int i = 0; i < NR_OPS; i++)
		must(unregister_ftrace_function_deferred(&rules[i].op), "later");
}

/* All that is left of the host's memory, as a list. */
struct hoard {
	struct hoard *next;
};

static struct hoard *take_memory(void)
{
	struct hoard *all = NULL, *one;

	for (size_t bytes = 8 << 20; bytes >= sizeof(*one); bytes /= 2) {
		while ((one = host_alloc(bytes))) {
			one->next = all;
			all = one;
		}
	}
	return all;
}

static void give_memory(struct hoard *all)
{
	struct hoard *next;

	for (; all; all = next) {
		next = all->next;
		host_free(all);
	}
}

/* Several at once; and again, when there is no memory for it at first. */
DEFINE_TEST(ftrace_deferred_many)
{
	struct hoard *hoard;

	for (unsigned int i = 0; i < NR_OPS; i++)
		must(register_ftrace_function(make(i, 0, i % 2 ? "ft_tracee_*" : "ft_tracee_1")), "register");
	port_soft_irq(put_off_all, NULL);
	report(are_gone_soon(NR_OPS), "%u ops put off in one interrupt are gone", NR_OPS);
	must(register_ftrace_function(make(0, 0, "ft_tracee_*")), "register");
	hoard = take_memory();
	report(unregister_ftrace_function(&rules[0].op) == -ENOMEM, "no memory");
	must(unregister_ftrace_function_deferred(&rules[0].op), "later");
	/* Done here and not by the thread, so that it is tried once at least. */
	report(!baretrace_poll() && ftrace_ops_is_registered(&rules[0].op), "nor later");
	report(unregister_ftrace_function_deferred(&rules[0].op) == -EBUSY, "it is in the queue still");
	ft_tracee_1(0);
	report(rules[0].calls == 1, "and called still");
	give_memory(hoard);
	report(are_gone_soon(1), "it is gone when there is memory again");
	for (unsigned int i = 0; i < NR_OPS; i++)
		ftrace_free_filter(&rules[i].op);
}

/* ---- each kind once ------------------------------------------------------------------------ */

/* One op that is a constant of the image, others that are made and go. */
static struct rule fixed = { .op = { .func = note, .name = "fixed" } };

static void call_each(unsigned int times)
{
	bool right = true;

	for (unsigned int n = 0; n < times; n++)
		for (unsigned int i = 0; i < NR_FT_TRACEES; i++)
			right &= ft_tracees[i](n) == n + i;
	report(right, "results are right");
}

static void static_and_dynamic(void)
{
	struct rule *dynamic = host_alloc(sizeof(*dynamic));

	if (!dynamic) {
		report(false, "memory");
		return;
	}
	fixed.calls = 0;
	dynamic->op.func = note;
	must(ftrace_set_filter(&fixed.op, "ft_tracee_[01]", true) != 2, "filter");
	must(ftrace_set_filter(&dynamic->op, "ft_tracee_1", true) != 1, "filter");
	must(register_ftrace_function(&fixed.op), "register");
	call_each(5);
	must(register_ftrace_function(&dynamic->op), "register");
	call_each(5);
	must(unregister_ftrace_function(&dynamic->op), "unregister");
	call_each(5);
	must(unregister_ftrace_function(&fixed.op), "unregister");
	call_each(5);
	report(fixed.calls == 30 && dynamic->calls == 5 && !fixed.unwanted && !dynamic->unwanted,
	       "static op: %lu calls, dynamic op: %lu", fixed.calls, dynamic->calls);
	ftrace_free_filter(&fixed.op);
	ftrace_free_filter(&dynamic->op);
	host_free(dynamic);
}

static unsigned long depth, deepest;

/* Calls what it hooks: guarded it is entered once; without a guard it must look by itself. */
static notrace void call_again(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	note(ip, parent_ip, op, fregs);
	if (depth == 1)
		deepest = 2;
	if (depth++ < 1)
		ft_tracee_0(0);
	depth--;
}

static void recursion(unsigned int flags)
{
	make(0, flags, "ft_tracee_0")->func = call_again;
	depth = deepest = 0;
	must(register_ftrace_function(&rules[0].op), "register");
	report(ft_tracee_0(3) == 3, "a callback that calls what it hooks");
	if (flags)
		report(rules[0].calls == 1 && rules[0].op.recursed == 1 && !deepest,
		       "guarded: %lu calls, %lu dropped", rules[0].calls, rules[0].op.recursed);
	else
		report(rules[0].calls == 2 && !rules[0].op.recursed && deepest == 2,
		       "on its own: %lu calls, %lu dropped", rules[0].calls, rules[0].op.recursed);
	leave(1);
}

static void registers(void)
{
	must(register_ftrace_function(make(0, 0, "ft_tracee_2")), "register");
	call_each(1);
	must(register_ftrace_function(make(1, FTRACE_OPS_FL_SAVE_REGS, "ft_tracee_2")), "register");
	call_each(3);
	report(rules[1].calls == 3 && rules[1].with_regs == 3, "registers in %lu of %lu calls", rules[1].with_regs,
	       rules[1].calls);
	report(rules[0].calls == 4, "the other op: %lu calls", rules[0].calls);
	leave(2);
}

struct pair {
	struct fgraph_ops graph;
	unsigned long entries, returns, open;
};

static notrace int note_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct pair *p = container_of(gops, struct pair, graph);

	p->entries++;
	p->open++;
	return 1;
}

static notrace void note_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct pair *p = container_of(gops, struct pair, graph);

	p->returns++;
	p->open--;
}

static void graph(void)
{
	static struct pair pair;

	if (!arch_fgraph_supported()) {
		report_skip("no function graph in this flavour");
		return;
	}
	memset(&pair, 0, sizeof(pair));
	pair.graph = (struct fgraph_ops){ .entryfunc = note_entry, .retfunc = note_return };
	must(ftrace_set_filter(&pair.graph.ops, "ft_outer", true) != 1, "filter");
	must(ftrace_set_filter(&pair.graph.ops, "ft_inner", false) != 1, "filter");
	must(register_ftrace_graph(&pair.graph), "register");
	for (unsigned int i = 0; i < 10; i++)
		ft_outer(i);
	must(unregister_ftrace_graph(&pair.graph), "unregister");
	ft_outer(0);
	report(pair.entries == 20 && pair.returns == 20 && !pair.open, "graph: %lu entries, %lu returns", pair.entries,
	       pair.returns);
	ftrace_free_filter(&pair.graph.ops);
}

DEFINE_TEST(ftrace_selftest)
{
	u64 hash = text_hash();

	static_and_dynamic();
	recursion(FTRACE_OPS_FL_RECURSION);
	recursion(0);
	registers();
	graph();
	report(text_hash() == hash, "text is as it was");
}
