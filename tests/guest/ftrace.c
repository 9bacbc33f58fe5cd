// SPDX-License-Identifier: MIT
/* Hooks, one thing at a time: counts, filters, what a callback gets, assists, contexts. */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/errno.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/ftrace.h"
#include "core/ops_set.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

#define MANY	10

/* What a counting op keeps; through op->private. */
struct hits {
	unsigned long nr;
	unsigned long ip, parent_ip;	/* of the last one */
	unsigned long wrong;		/* op or registers not as they should be */
};

static notrace void hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	struct hits *hits = op->private;

	hits->nr++;
	hits->ip = ip;
	hits->parent_ip = parent_ip;
	hits->wrong += op->func != hit || !fregs;
	hits->wrong += !(op->flags & FTRACE_OPS_FL_SAVE_REGS) != !ftrace_get_regs(fregs) &&
		       !ftrace_get_regs(fregs);
}

static struct hits hits[MANY];
static struct ftrace_ops ops[MANY];

static void reset_ops(void)
{
	for (unsigned int i = 0; i < MANY; i++) {
		ftrace_free_filter(&ops[i]);
		memset(&ops[i], 0, sizeof(ops[i]));
		memset(&hits[i], 0, sizeof(hits[i]));
		ops[i].func = hit;
		ops[i].private = &hits[i];
	}
}

static unsigned long site_ip(const void *function)
{
	const struct dyn_ftrace *rec = site_of_function((unsigned long)function);

	return rec ? rec->ip : 0;
}

static bool is_in(unsigned long pc, const char *name)
{
	struct kallsym sym;

	return kallsyms_lookup(pc, &sym) && strcmp(sym.name, name) == 0;
}

static void set_filter(struct ftrace_ops *op, const char *pattern, int expected)
{
	int ret = ftrace_set_filter(op, pattern, true);

	report(ret == expected, "filter %s takes %d", pattern, ret);
}

static noinline bool call_tracees(unsigned int times)
{
	bool right = true;

	for (unsigned int n = 0; n < times; n++)
		for (unsigned int i = 0; i < NR_FT_TRACEES; i++)
			right &= ft_tracees[i](n) == n + i;
	return right;
}

/* ---- which design the tests named behind these use ---- */

DEFINE_TEST(dispatch_list)
{
	report(dispatch_select("list") == 0 && !strcmp(dispatch_current()->name, "list"), "list");
}

DEFINE_TEST(dispatch_set)
{
	report(dispatch_select("set") == 0 && !strcmp(dispatch_current()->name, "set"), "set");
}

/* ---- counts ------------------------------------------------------------------- */

static void count_with(unsigned int nr, unsigned int flags)
{
	int err = 0;

	reset_ops();
	for (unsigned int i = 0; i < nr && !err; i++) {
		ops[i].flags = i == 0 ? flags : 0;
		err = ftrace_set_filter(&ops[i], "ft_tracee_*", true) != NR_FT_TRACEES;
		if (!err)
			err = register_ftrace_function(&ops[i]);
	}
	report(!err, "%u ops registered, flags %x: %d", nr, flags, err);
	report(call_tracees(100), "results are right");
	for (unsigned int i = 0; i < nr; i++)
		report(hits[i].nr == 100 * NR_FT_TRACEES && !hits[i].wrong,
		       "op %u: %lu calls, %lu wrong", i, hits[i].nr, hits[i].wrong);
	report(hits[0].ip == site_ip(ft_tracee_3), "ip is the record's");
	report(is_in(hits[0].parent_ip, "call_tracees"), "parent is the caller");
	for (unsigned int i = 0; i < nr; i++)
		if (unregister_ftrace_function(&ops[i]))
			report(false, "op %u unregisters", i);
	report(call_tracees(1) && hits[0].nr == 100 * NR_FT_TRACEES, "off is off");
}

DEFINE_TEST(ftrace_counts)
{
	static const unsigned int numbers[] = { 1, 2, MANY };
	u64 hash = text_hash();

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		count_with(numbers[i], 0);
		count_with(numbers[i], FTRACE_OPS_FL_SAVE_REGS);
		count_with(numbers[i], FTRACE_OPS_FL_RECURSION);
		count_with(numbers[i], FTRACE_OPS_FL_RCU);
		count_with(numbers[i], FTRACE_OPS_FL_ALL);
	}
	report(text_hash() == hash, "text is as it was");
}

/* Irrelevant ops cost nothing and are not called; in and out in another order. */
DEFINE_TEST(ftrace_order)
{
	static const u8 out[] = { 3, 0, 4, 1, 2 };
	static const char *const filters[] = {
		"ft_tracee_0", "ft_tracee_*", "ft_tracee_1", "ft_tracee_[01]", "ft_outer",
	};
	static const unsigned int per_round[] = { 1, 4, 1, 2, 0 };
	u64 hash = text_hash();
	int err = 0;

	reset_ops();
	for (unsigned int i = 0; i < ARRAY_SIZE(filters) && !err; i++) {
		err = ftrace_set_filter(&ops[i], filters[i], true) < 0;
		if (!err)
			err = register_ftrace_function(&ops[i]);
	}
	report(!err, "five ops with different filters");
	for (unsigned int n = 0; n <= ARRAY_SIZE(out); n++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(out); i++)
			hits[i].nr = 0;
		call_tracees(10);
		for (unsigned int i = 0; i < ARRAY_SIZE(out); i++) {
			bool is_on = ops[i].flags & FTRACE_OPS_FL_ENABLED;

			report(hits[i].nr == (is_on ? 10 * per_round[i] : 0), "%u gone: op %u has %lu",
			       n, i, hits[i].nr);
		}
		if (n < ARRAY_SIZE(out) && unregister_ftrace_function(&ops[out[n]]))
			report(false, "op %u unregisters", out[n]);
	}
	report(text_hash() == hash, "text is as it was");
	report(ops_set_total() == 0, "no set is left over");
	reset_ops();
}

/* ---- filters -------------------------------------------------------------------- */

static void expect_calls(const char *what, unsigned int mask)
{
	unsigned int found = 0;

	for (unsigned int i = 0; i < NR_FT_TRACEES; i++) {
		hits[0].nr = 0;
		ft_tracees[i](0);
		found |= (hits[0].nr == 1) << i;
	}
	report(found == mask, "%s: called for %x", what, found);
}

static void refused_filters(void)
{
	report(ftrace_set_filter(&ops[0], "ft_hidden", true) == -EINVAL, "an exact name without site");
	report(ftrace_set_filter(&ops[0], "ft_nobody", true) == -EINVAL, "an exact name of nobody");
	report(ftrace_set_filter(&ops[0], "ft_hid*", true) == -ENOENT, "a glob over no site");
	report(ftrace_set_filter(&ops[0], "ft_*racee", true) == -ENOENT, "a glob that ends too early");
	report(ftrace_set_filter(&ops[0], "ft_[", true) == -EINVAL, "a bad class");
	report(ftrace_set_filter(&ops[0], "0x1", true) == -EINVAL, "an address of nothing");
	report(ftrace_set_filter_ip(&ops[0], (unsigned long)ft_hidden, false, true) == -EINVAL,
	       "an address without site");
}

static void change_filters(void)
{
	expect_calls("one", 1);
	set_filter(&ops[0], "ft_tracee_*", 4);
	expect_calls("all", 15);
	report(ftrace_set_notrace(&ops[0], "ft_tracee_[23]", false) == 2, "two are taken out");
	expect_calls("less two", 3);
	refused_filters();
	expect_calls("after refusals", 3);
	report(ftrace_set_notrace(&ops[0], NULL, true) == 0, "and put back");
	expect_calls("all again", 15);
	report(ftrace_set_filter_ip(&ops[0], (unsigned long)ft_tracee_1, true, false) == 0, "less one");
	expect_calls("less one", 13);
	report(ftrace_set_filter_ip(&ops[0], site_ip(ft_tracee_2), false, true) == 0, "one by address");
	expect_calls("by address", 4);
	report(ftrace_set_filter_ip(&ops[0], site_ip(ft_tracee_2), true, false) == -EINVAL, "the last one stays");
	expect_calls("not all", 4);
	report(ftrace_set_filter(&ops[0], "ft_tracee_3", false) == 1, "one more by name");
	expect_calls("and by name", 12);
}

DEFINE_TEST(ftrace_filters)
{
	u64 hash = text_hash();
	int err;

	reset_ops();
	set_filter(&ops[0], "ft_tracee_0", 1);
	err = register_ftrace_function(&ops[0]);
	report(!err, "registered alone: %d", err);
	change_filters();
	/* The same with a second op at every site. */
	set_filter(&ops[1], "ft_*", 8);
	set_filter(&ops[0], "ft_tracee_0", 1);
	err = register_ftrace_function(&ops[1]);
	report(!err, "a second op: %d", err);
	change_filters();
	err = unregister_ftrace_function(&ops[1]);
	if (!err)
		err = unregister_ftrace_function(&ops[0]);
	report(!err && text_hash() == hash, "text is as it was: %d", err);
	reset_ops();
}

/* ---- what a callback gets -------------------------------------------------------- */

struct asked {
	unsigned long nr, wrong, arguments[10], parent_ip, return_address, sp;
	struct pt_regs *regs;
};
static struct asked asked;

/* Where the last of the instructions that switching it on writes ends. */
static notrace unsigned long behind_site(unsigned long ip)
{
	struct text_poke pokes[ARCH_SITE_POKES];
	int nr = arch_site_pokes(ip, 0, (unsigned long)arch_leaf_return, pokes);

	return nr > 0 ? pokes[nr - 1].addr + pokes[nr - 1].len : 0;
}

static notrace void ask(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	asked.nr++;
	asked.parent_ip = parent_ip;
	for (unsigned int i = 0; i < ARRAY_SIZE(asked.arguments); i++)
		asked.arguments[i] = ftrace_regs_get_argument(fregs, i);
	asked.return_address = ftrace_regs_get_return_address(fregs);
	asked.sp = ftrace_regs_get_stack_pointer(fregs);
	asked.regs = ftrace_get_regs(fregs);
	if (asked.regs)
		asked.wrong += regs_pc(asked.regs) != behind_site(ip) || regs_sp(asked.regs) != asked.sp;
}

static bool arguments_are_known(void)
{
#ifdef FLAVOUR_pg
	return false;
#else
	return true;
#endif
}

static noinline __attribute__((noclone)) void ask_with(struct ftrace_ops *op, unsigned int flags)
{
	unsigned long here = (unsigned long)__builtin_frame_address(0), result;
	unsigned int right = 0;
	int err;

	memset(&asked, 0, sizeof(asked));
	op->flags = flags;
	err = register_ftrace_function(op);
	report(!err, "registered, flags %x: %d", flags, err);
	result = ft_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	err = unregister_ftrace_function(op);
	report(!err && result == 385 && asked.nr == 1, "called once, result %lu", result);
	for (unsigned int i = 0; i < 10; i++)
		right += asked.arguments[i] == i + 1;
	if (arguments_are_known())
		report(right == 10, "%u of 10 arguments are right", right);
	report(asked.return_address == asked.parent_ip && is_in(asked.parent_ip, "ask_with"),
	       "return address %lx, parent %lx", asked.return_address, asked.parent_ip);
	report(here - asked.sp < 2048, "stack pointer %lx, our frame %lx", asked.sp, here);
	report(!asked.regs == !(flags & FTRACE_OPS_FL_SAVE_REGS) && !asked.wrong,
	       "registers: %p, %lu wrong", asked.regs, asked.wrong);
}

DEFINE_TEST(ftrace_regs)
{
	static struct ftrace_ops op = { .func = ask };

	set_filter(&op, "ft_arguments", 1);
	ask_with(&op, 0);
	ask_with(&op, FTRACE_OPS_FL_SAVE_REGS);
	ask_with(&op, FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_SAVE_REGS);
	ftrace_free_filter(&op);
}

/* ---- recursion and interrupts -------------------------------------------------------- */

static unsigned long nr_outer_calls, nr_in_interrupt;

static void interrupt_tracee(void *arg)
{
	ft_tracee_1(0);
}

/*
 * Calls what it hooks: before an interrupt, in it, where the guard is another one, and
 * after it, where it is the old one again.
 */
static notrace void recurse(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
	if (baretrace_irq_regs())
		nr_in_interrupt++;
	else
		nr_outer_calls++;
	if (nr_outer_calls + nr_in_interrupt > 20)
		return;
	ft_tracee_1(0);
	if (baretrace_irq_regs())
		return;
	port_soft_irq(interrupt_tracee, NULL);
	ft_tracee_1(0);
}

static void recurse_with(unsigned int nr)
{
	static struct ftrace_ops guarded[2];

	nr_outer_calls = nr_in_interrupt = 0;
	for (unsigned int i = 0; i < nr; i++) {
		guarded[i] = (struct ftrace_ops) { .func = recurse, .flags = FTRACE_OPS_FL_RECURSION };
		set_filter(&guarded[i], "ft_tracee_*", 4);
		if (register_ftrace_function(&guarded[i]))
			report(false, "guarded op %u", i);
	}
	ft_tracee_0(0);
	report(nr_outer_calls == nr, "%u ops: %lu calls", nr, nr_outer_calls);
	/* Each op's interrupt calls each op once; there they recurse once more and are cut. */
	report(nr_in_interrupt == nr * nr, "and %lu in an interrupt", nr_in_interrupt);
	for (unsigned int i = 0; i < nr; i++) {
		/* Two calls by every op, and in each op's interrupt one by every op. */
		report(guarded[i].recursed == 2 * nr + nr * nr, "op %u dropped %lu", i, guarded[i].recursed);
		if (unregister_ftrace_function(&guarded[i]))
			report(false, "guarded op %u unregisters", i);
		ftrace_free_filter(&guarded[i]);
	}
	report(current()->trace.recursion == 0 && current()->trace.context == 0, "no guard is left over");
}

DEFINE_TEST(ftrace_recursion)
{
	recurse_with(1);
	recurse_with(2);
}

DEFINE_TEST(ftrace_interrupts)
{
	unsigned long nmis;

	reset_ops();
	set_filter(&ops[0], "interrupt_tracee", 1);
	report(register_ftrace_function(&ops[0]) == 0, "registered");
	for (unsigned int i = 0; i < 100; i++)
		port_soft_irq(interrupt_tracee, NULL);
	report(hits[0].nr == 100, "%lu calls from interrupts", hits[0].nr);
	set_filter(&ops[0], "kernel_nmi", 1);
	hits[0].nr = 0;
	preempt_disable();
	nmis = this_cpu()->nmis;
	for (unsigned int i = 0; i < 100; i++) {
		if (board_send_nmi(cpu_id()))
			break;
		while (READ_ONCE(this_cpu()->nmis) == nmis + i)
			cpu_relax();
	}
	nmis = this_cpu()->nmis - nmis;
	preempt_enable();
	if (nmis)
		report(hits[0].nr == 100 && nmis == 100, "%lu calls from %lu NMIs", hits[0].nr, nmis);
	else
		report_skip("no NMI on this board");
	report(unregister_ftrace_function(&ops[0]) == 0, "unregistered");
	reset_ops();
}

/* ---- where it is not allowed ------------------------------------------------------------ */

static struct ftrace_ops busy_ops = { .func = hit };
static int busy_results[7];

static notrace void try_all(void)
{
	busy_results[0] = register_ftrace_function(&busy_ops);
	busy_results[1] = unregister_ftrace_function(&ops[0]);
	busy_results[2] = ftrace_set_filter(&busy_ops, "ft_tracee_0", true);
	busy_results[3] = ftrace_set_notrace(&ops[0], "ft_tracee_0", true);
	busy_results[4] = ftrace_set_filter_ip(&ops[0], (unsigned long)ft_tracee_0, false, true);
	busy_results[5] = text_poke_begin();
	busy_results[6] = static_key_begin();
}

static void report_busy(const char *where)
{
	unsigned int refused = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(busy_results); i++)
		refused += busy_results[i] == -EBUSY;
	report(refused == ARRAY_SIZE(busy_results), "%s: %u of %u are refused", where, refused,
	       (unsigned int)ARRAY_SIZE(busy_results));
	memset(busy_results, 0, sizeof(busy_results));
}

static notrace void try_in_callback(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				    struct ftrace_regs *fregs)
{
	try_all();
}

static void try_in_interrupt(void *arg)
{
	try_all();
}

DEFINE_TEST(ftrace_busy)
{
	unsigned long flags;

	reset_ops();
	ops[0].func = try_in_callback;
	set_filter(&ops[0], "ft_tracee_0", 1);
	report(register_ftrace_function(&ops[0]) == 0, "registered");
	report(register_ftrace_function(&ops[0]) == -EBUSY, "twice");
	ft_tracee_0(0);
	report_busy("in a callback");
	report(unregister_ftrace_function(&ops[0]) == 0, "outside it is taken");
	port_soft_irq(try_in_interrupt, NULL);
	report_busy("in an interrupt");
	flags = irq_save();
	try_all();
	irq_restore(flags);
	report_busy("with interrupts off");
	report(unregister_ftrace_function(&ops[0]) == -ENOENT, "not registered");
	reset_ops();
}

/* ---- RCU ---------------------------------------------------------------------------------- */

DEFINE_TEST(ftrace_rcu)
{
	unsigned long flags;

	reset_ops();
	for (unsigned int i = 0; i < 2; i++) {
		ops[i].flags = i ? 0 : FTRACE_OPS_FL_RCU;
		set_filter(&ops[i], "ft_tracee_0", 1);
		report(register_ftrace_function(&ops[i]) == 0, "op %u", i);
	}
	ft_tracee_0(0);
	/* As idle does it: nothing watches until an interrupt comes. */
	flags = irq_save();
	this_cpu()->watching = false;
	ft_tracee_0(0);
	this_cpu()->watching = true;
	irq_restore(flags);
	ft_tracee_0(0);
	report(hits[0].nr == 2 && ops[0].not_watching == 1, "RCU op: %lu calls, %lu skipped",
	       hits[0].nr, ops[0].not_watching);
	report(hits[1].nr == 3 && ops[1].not_watching == 0, "other op: %lu calls", hits[1].nr);
	for (unsigned int i = 0; i < 2; i++)
		report(unregister_ftrace_function(&ops[i]) == 0, "op %u unregisters", i);
	reset_ops();
}
