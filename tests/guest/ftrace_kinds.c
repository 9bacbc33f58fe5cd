// SPDX-License-Identifier: MIT
/*
 * Ops that are not plain callbacks, many ops at once, and what happens at limits:
 * leaves and counters, who decides where a function goes on, permanent ones,
 * unregistering put off, more ops than are unrolled, a full code pool.
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "bench/callbacks.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define MANY	40
#define MANY_COUNTERS	56u

static struct ftrace_ops ops[MANY];
static struct ftrace_ops *list[MANY];
static unsigned long counts[MANY];
static unsigned int seen[MANY], nr_seen;	/* in the order of their calls */
static unsigned long parent_seen; /* of the last call */

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	unsigned int i = op - ops;

	if (op->flags & FTRACE_OPS_FL_SAVE_REGS && !ftrace_get_regs(fregs))
		return;
	parent_seen = parent_ip;
	atomic_inc(&counts[i]);
	if (nr_seen < MANY)
		seen[nr_seen++] = i;
}

static void make(unsigned int i, unsigned int flags, const void *func, const char *pattern)
{
	ftrace_free_filter(&ops[i]);
	ops[i] = (struct ftrace_ops){ .flags = flags, .func = (ftrace_func_t)(unsigned long)func };
	list[i] = &ops[i];
	counts[i] = 0;
	if (ftrace_set_filter(&ops[i], pattern, true) <= 0)
		report(false, "filter %s", pattern);
}

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static unsigned long target(unsigned int tracee)
{
	return site_target(site_of_function((unsigned long)ft_tracees[tracee]));
}

static bool call_tracees(unsigned long times)
{
	bool right = true;

	nr_seen = 0;
	for (unsigned long n = 0; n < times; n++)
		for (unsigned int i = 0; i < NR_FT_TRACEES; i++)
			right &= ft_tracees[i](n) == n + i;
	return right;
}

static const void *leaf(void)
{
	return (const void *)(unsigned long)arch_leaf_return;
}

/* ---- leaves and counters --------------------------------------------------------- */

DEFINE_TEST(ftrace_leaf)
{
	u64 hash = text_hash();

	make(0, FTRACE_OPS_FL_LEAF, leaf(), "ft_tracee_*");
	make(1, 0, count, "ft_tracee_[01]");
	make(2, FTRACE_OPS_FL_LEAF, leaf(), "ft_tracee_0");
	make(3, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_RECURSION, count, "ft_tracee_0");
	must(register_ftrace_function(list[0]), "a leaf");
	report(target(3) == (unsigned long)leaf(), "a lone leaf is called by the site itself");
	report(call_tracees(10), "results are right");
	must(register_ftrace_functions(list + 1, 3), "with others");
	report(call_tracees(10), "results are right");
	report(counts[1] == 20 && counts[3] == 10, "callbacks beside it: %lu, %lu", counts[1], counts[3]);
	must(unregister_ftrace_functions(list, 4), "unregister");
	report(text_hash() == hash, "text is as it was");
}

DEFINE_TEST(ftrace_count)
{
	u64 hash = text_hash();

	make(0, FTRACE_OPS_FL_COUNT, NULL, "ft_tracee_*");
	make(1, FTRACE_OPS_FL_COUNT, NULL, "ft_tracee_[01]");
	make(2, 0, count, "ft_tracee_1");
	must(register_ftrace_functions(list, 2), "two counters");
	report(call_tracees(100), "results are right");
	report(ftrace_ops_hits(&ops[0]) == 400 && ftrace_ops_hits(&ops[1]) == 200, "%lu and %lu hits",
	       ftrace_ops_hits(&ops[0]), ftrace_ops_hits(&ops[1]));
	must(register_ftrace_function(list[2]), "with a callback");
	report(call_tracees(100), "results are right");
	must(unregister_ftrace_functions(list, 3), "unregister");
	report(ftrace_ops_hits(&ops[0]) == 800 && ftrace_ops_hits(&ops[1]) == 400 && counts[2] == 100,
	       "%lu, %lu hits, %lu calls", ftrace_ops_hits(&ops[0]), ftrace_ops_hits(&ops[1]), counts[2]);
	call_tracees(1);
	report(ftrace_ops_hits(&ops[0]) == 800, "off is off");
	must(register_ftrace_function(list[0]), "again");
	call_tracees(1);
	report(ftrace_ops_hits(&ops[0]) == 4, "it starts at 0");
	must(unregister_ftrace_function(list[0]), "unregister");
	report(text_hash() == hash, "text is as it was");
}

static unsigned long calls_made;

static void call_from_interrupt(void *arg)
{
	ft_tracee_0(0);
}

/* Called by threads that the tick takes from CPU to CPU, and by interrupts. */
static int call_and_interrupt(void *arg)
{
	unsigned long n, nr = cmdline_number("calls", 3000, 1, 100000000);

	for (n = 0; n < nr; n++) {
		ft_tracee_0(n);
		if (n % 16 == 0)
			port_soft_irq(call_from_interrupt, NULL);
	}
	atomic_fetch_add(&calls_made, nr + (nr + 15) / 16);
	return 0;
}

DEFINE_TEST(ftrace_count_exact)
{
	struct thread *threads[3 * MAX_CPUS];
	unsigned int nr = 3 * smp_online();

	calls_made = 0;
	make(0, FTRACE_OPS_FL_COUNT, NULL, "ft_tracee_0");
	make(1, 0, count, "ft_tracee_0");
	must(register_ftrace_function(list[0]), "a counter");
	for (unsigned int i = 0; i < nr; i++)
		threads[i] = thread_create("count", call_and_interrupt, NULL, THREAD_ANY_CPU);
	for (unsigned int n = 0; n < 4; n++) {
		must(register_ftrace_function(list[1]), "another comes");
		thread_yield();
		must(unregister_ftrace_function(list[1]), "and goes");
	}
	for (unsigned int i = 0; i < nr; i++)
		must(threads[i] ? thread_join(threads[i]) : -ENOMEM, "thread");
	report(ftrace_ops_hits(&ops[0]) == calls_made, "%lu hits of %lu calls", ftrace_ops_hits(&ops[0]), calls_made);
	must(unregister_ftrace_function(list[0]), "unregister");
}

/* The words of a load and a store of one place differ in one bit. */
static bool are_load_and_store(unsigned long load, unsigned long store)
{
	u32 difference = *(const u32 *)load ^ *(const u32 *)store;

	return difference && !(difference & (difference - 1));
}

/* A context that stands in the window (load, count, store), before the store has been made, starts again. */
DEFINE_TEST(ftrace_count_window)
{
	const struct code_block *block;
	struct baretrace_irq save;
	struct pt_regs regs;
	unsigned long commit = 0, start = 0, mended;
	unsigned int moved = 0, wrong = 0;

	make(0, FTRACE_OPS_FL_COUNT, NULL, "ft_tracee_0");
	must(register_ftrace_function(list[0]), "a counter");
	block = code_pool_find(target(0));
	report(block, "it has a trampoline");
	for (unsigned long pc = block ? block->start : 0; block && pc < block->start + block->size; pc += 4) {
		regs_set_pc(&regs, pc);
		arch_trampoline_mend(&regs);
		mended = regs_pc(&regs);
		/* As an interrupt that finds it there. */
		regs_set_pc(&regs, pc);
		baretrace_irq_enter(&regs, &save);
		baretrace_irq_exit(&save);
		wrong += regs_pc(&regs) != mended;
		if (mended == pc)
			continue;
		moved++;
		wrong += start && mended != start;
		start = mended;
		commit = pc;
	}
	report(!wrong, "an interrupt moves all to the same place, %u do not", wrong);
	report(moved == (commit - start) / 4 && moved <= 3, "%u places in the window", moved);
	report(!moved || are_load_and_store(commit - 8, commit), "the store is the last of them");
	must(unregister_ftrace_function(list[0]), "unregister");
}

/* ---- where the function goes on ------------------------------------------------------ */

static notrace void go_elsewhere(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 struct ftrace_regs *fregs)
{
	count(ip, parent_ip, op, fregs);
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)ft_tracee_2);
	if (ftrace_get_regs(fregs) && regs_pc(ftrace_get_regs(fregs)) != (unsigned long)ft_tracee_2)
		report(false, "registers: the pc is where it goes on");
}

DEFINE_TEST(ftrace_ipmodify)
{
	u64 hash = text_hash();

#ifdef FLAVOUR_pg
	report_skip("sites behind prologues");
	return;
#endif
	for (unsigned int flags = 0; flags <= FTRACE_OPS_FL_SAVE_REGS; flags += FTRACE_OPS_FL_SAVE_REGS) {
		make(0, FTRACE_OPS_FL_IPMODIFY | flags, go_elsewhere, "ft_tracee_1");
		make(1, 0, count, "ft_tracee_*");
		must(register_ftrace_function(list[0]), "who decides");
		report(ft_tracee_1(5) == 7, "another function runs, with its arguments and caller");
		must(register_ftrace_function(list[1]), "another op");
		nr_seen = 0;
		report(ft_tracee_1(5) == 7 && counts[0] == 2 && counts[1] == 2, "%lu, %lu calls", counts[0], counts[1]);
		report(nr_seen == 3 && seen[0] == 1 && seen[1] == 0, "who decides is last");
		must(unregister_ftrace_functions(list, 2), "unregister");
		report(ft_tracee_1(5) == 6, "and back");
	}
	report(text_hash() == hash, "text is as it was");
}

DEFINE_TEST(ftrace_direct)
{
	u64 hash = text_hash();

	make(0, FTRACE_OPS_FL_DIRECT, leaf(), "ft_tracee_[01]");
	make(1, 0, count, "ft_tracee_0");
	make(2, FTRACE_OPS_FL_SAVE_REGS, count, "ft_tracee_1");
	must(register_ftrace_function(list[0]), "direct");
	report(target(0) == (unsigned long)leaf(), "a lone one is called by the site itself");
	report(call_tracees(10), "results are right");
	must(register_ftrace_functions(list + 1, 2), "with others");
	report(call_tracees(10), "results are right");
	report(counts[1] == 10 && counts[2] == 10, "%lu, %lu calls", counts[1], counts[2]);
	must(unregister_ftrace_functions(list, 3), "unregister");
	report(text_hash() == hash, "text is as it was");
}

/* Not one of ops[], so count() could not tell which it is. */
static unsigned long nr_kept;

static notrace void count_kept(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	atomic_inc(&nr_kept);
}

/* One of its own, because it stays hooked. */
static __attribute__((noipa)) int kept_for_good(int x)
{
	return x + 1;
}

/* Each flag's error when it is misused; after it nothing has changed. */
DEFINE_TEST(ftrace_misuse)
{
	static struct ftrace_ops stays = { .func = count_kept, .flags = FTRACE_OPS_FL_PERMANENT };
	struct ftrace_ops *none = NULL;
	u64 hash = text_hash();

	make(0, FTRACE_OPS_FL_IPMODIFY, go_elsewhere, "ft_tracee_1");
	make(1, FTRACE_OPS_FL_DIRECT, leaf(), "ft_tracee_[12]");
	make(2, FTRACE_OPS_FL_IPMODIFY, go_elsewhere, "ft_tracee_*");
	must(register_ftrace_function(list[0]), "who decides");
	report(register_ftrace_function(list[1]) == -EBUSY, "a direct one there");
	report(register_ftrace_function(list[2]) == -EBUSY, "another that decides");
	must(ftrace_set_filter(&ops[1], "ft_tracee_2", true) != 1, "filter");
	must(register_ftrace_function(list[1]), "elsewhere");
	report(ftrace_set_filter(&ops[1], "ft_tracee_1", true) == -EBUSY, "a filter that leads there");
	report(target(2) == (unsigned long)leaf() && target(1) != (unsigned long)leaf(), "all is as before");
	must(unregister_ftrace_functions(list, 2), "unregister");

	make(0, FTRACE_OPS_FL_LEAF | FTRACE_OPS_FL_SAVE_REGS, leaf(), "ft_tracee_1");
	report(register_ftrace_function(list[0]) == -EINVAL, "a leaf with registers");
	make(0, FTRACE_OPS_FL_COUNT, count, "ft_tracee_1");
	report(register_ftrace_function(list[0]) == -EINVAL, "a counter with func");
	make(0, FTRACE_OPS_FL_DIRECT, counts, "ft_tracee_1");
	report(register_ftrace_function(list[0]) == -EINVAL, "direct to what is no code");
	make(0, 0, NULL, "ft_tracee_1");
	report(register_ftrace_function(list[0]) == -EINVAL, "no func");
	report(register_ftrace_functions(&none, 1) == -EINVAL, "no ops");

	make(0, 0, count, "ft_tracee_1");
	list[1] = list[0];
	report(register_ftrace_functions(list, 2) == -EBUSY, "the same twice in one call");
	report(!target(1) && !ftrace_ops_is_registered(list[0]), "none of them is registered");
	must(register_ftrace_function(list[0]), "once");
	report(unregister_ftrace_functions(list, 2) == -ENOENT, "unregistered twice in one call");
	report(target(1) && ftrace_ops_is_registered(list[0]), "it is registered still");
	must(unregister_ftrace_function(list[0]), "unregister");
	report(text_hash() == hash, "text is as it was");

	/* Run before, with the other design: it is there still. */
	if (ftrace_ops_is_registered(&stays) || ftrace_set_filter(&stays, "kept_for_good", true) != 1)
		return;
	must(register_ftrace_function(&stays), "a permanent one");
	report(unregister_ftrace_function(&stays) == -EBUSY, "it stays");
	report(unregister_ftrace_function_deferred(&stays) == -EBUSY, "later too");
	report(ftrace_set_filter(&stays, "ft_tracee_1", true) == -EBUSY, "where it is");
	/* Read behind the call: the compiler sees nothing in it that would count. */
	report(kept_for_good(1) == 2, "its function works");
	report(atomic_read(&nr_kept) == 1, "and it is called: %lu times", atomic_read(&nr_kept));
}

/* ---- many ----------------------------------------------------------------------------- */

static void check_counts(unsigned int nr, unsigned long expected)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < nr; i++)
		wrong += counts[i] != expected;
	report(!wrong, "%u of %u ops have other than %lu calls", wrong, nr, expected);
}

DEFINE_TEST(ftrace_many)
{
	static const unsigned int flags[] = { 0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU };
	u64 hash = text_hash();
	bool in_order = true;

	for (unsigned int nr = 15; nr <= MANY; nr = nr == 15 ? 16 : nr == 16 ? 17 : nr + 23) {
		for (unsigned int i = 0; i < nr; i++)
			make(i, flags[nr % 2 ? 0 : i % ARRAY_SIZE(flags)], count, "ft_tracee_*");
		must(register_ftrace_functions(list, nr), "register");
		report(call_tracees(10), "%u ops: results are right", nr);
		check_counts(nr, 40);
		for (unsigned int i = 0; i < min(nr, nr_seen); i++)
			in_order &= seen[i] == i;
		report(in_order, "in order of registration");
		must(unregister_ftrace_functions(list, nr), "unregister");
		report(!target(0), "and all are gone");
	}
	for (unsigned int i = 0; i < 5; i++) {
		make(i, 0, count, "ft_tracee_*");
		must(register_ftrace_function(list[i]), "register");
	}
	call_tracees(1);
	for (unsigned int i = 0; i < 5; i++)
		in_order &= seen[i] == i;
	report(in_order, "one by one: in order of registration");
	must(unregister_ftrace_functions(list, 5), "unregister");
	report(text_hash() == hash, "text is as it was");
}

/* More than a trampoline counts one by one; what one design takes the other does. */
DEFINE_TEST(ftrace_many_counters)
{
	static struct ftrace_ops counters[MANY_COUNTERS], *all[MANY_COUNTERS];
	const char *before = dispatch_current()->name, *other = strcmp(before, "set") ? "set" : "list";
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < MANY_COUNTERS; i++) {
		counters[i] = (struct ftrace_ops){ .flags = FTRACE_OPS_FL_COUNT };
		all[i] = &counters[i];
		must(ftrace_set_filter(all[i], "ft_tracee_0", true) != 1, "filter");
	}
	make(0, 0, count, "ft_tracee_0");
	make(1, FTRACE_OPS_FL_LEAF, leaf(), "ft_tracee_0");
	must(register_ftrace_functions(all, MANY_COUNTERS), "counters");
	must(register_ftrace_functions(list, 2), "a callback and a leaf among them");
	call_tracees(5);
	must(dispatch_select(other), "the other design");
	call_tracees(5);
	must(dispatch_select(before), "back again");
	for (unsigned int i = 0; i < MANY_COUNTERS; i++)
		wrong += ftrace_ops_hits(all[i]) != 10;
	report(!wrong && counts[0] == 10, "%u of %u counters are wrong, %lu calls", wrong, MANY_COUNTERS, counts[0]);
	must(unregister_ftrace_functions(list, 2), "unregister");
	must(unregister_ftrace_functions(all, MANY_COUNTERS), "unregister");
	for (unsigned int i = 0; i < MANY_COUNTERS; i++)
		ftrace_free_filter(all[i]);
}

DEFINE_TEST(ftrace_many_leaves)
{
	for (unsigned int i = 0; i < MANY; i++)
		make(i, FTRACE_OPS_FL_LEAF, leaf(), "ft_tracee_0");
	make(1, 0, count, "ft_tracee_0");
	must(register_ftrace_functions(list, MANY), "leaves");
	report(call_tracees(10) && counts[1] == 10, "results are right, %lu calls of a callback", counts[1]);
	must(unregister_ftrace_functions(list, MANY), "unregister");
}

/* All room in the pool, in ever smaller pieces. */
static void fill_pool(struct code_block **blocks, unsigned int most, unsigned int *nr)
{
	for (size_t size = 64 * 1024; size >= 16 && *nr < most; size /= 2) {
		while (*nr < most && (blocks[*nr] = code_pool_alloc(size, "hoard")))
			(*nr)++;
	}
}

/* Code that keeps every register, and notes what it finds as its parent. */
static unsigned long nr_leaf_calls, leaf_parent;

static notrace void in_leaf(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	nr_leaf_calls++;
	leaf_parent = parent_ip;
}

static struct code_block *make_leaf(void)
{
	static const struct trampoline_call call = { .func = (unsigned long)in_leaf };
	struct trampoline_spec spec = { .calls = &call, .nr_calls = 1 };
	struct code_block *block = NULL;
	int error = ftrace_lock();

	if (!error) {
		block = dispatch_generate(&spec, "leaf", &error);
		ftrace_unlock();
	}
	must(error, "generate");
	code_pool_publish();
	return block;
}

static void check_full_calls(unsigned long leaves, const char *what)
{
	memset(counts, 0, sizeof(counts));
	nr_leaf_calls = 0;
	report(call_tracees(10), "%s: results are right", what);
	report(counts[0] == 40 && counts[1] == 10 && counts[2] == 10, "%lu, %lu, %lu calls", counts[0], counts[1],
	       counts[2]);
	report(nr_leaf_calls == leaves, "of a leaf: %lu", nr_leaf_calls);
	report(!leaves || leaf_parent == parent_seen, "its parent is the callback's: %lx, %lx",
	       leaf_parent, parent_seen);
}

/* Its calls go the way of several users', and so do their returns. */
static void check_graph_without_room(void)
{
	static struct counting_graph user;

	user = (struct counting_graph){ .graph.entryfunc = graph_entry_count, .graph.retfunc = graph_return_count };
	report(ftrace_set_filter(&user.graph.ops, "ft_tracee_*", true) == 4, "a graph user");
	must(register_ftrace_graph(&user.graph), "needs no room");
	report(call_tracees(10), "results are right");
	must(unregister_ftrace_graph(&user.graph), "unregister");
	report(user.entries == 40 && user.returns == 40, "%lu entries, %lu returns", user.entries, user.returns);
	ftrace_free_filter(&user.graph.ops);
}

DEFINE_TEST(ftrace_pool_full)
{
	static struct code_block *blocks[512];
	unsigned long shared = dispatch_set_shared(), refused = dispatch_set_refused();
	struct code_block *leaf_code = make_leaf();
	unsigned int nr = 0;
	u64 hash = text_hash();

	if (!leaf_code)
		return;
	make(0, 0, count, "ft_tracee_*");
	make(1, FTRACE_OPS_FL_SAVE_REGS, count, "ft_tracee_0");
	make(2, FTRACE_OPS_FL_RECURSION, count, "ft_tracee_1");
	make(3, FTRACE_OPS_FL_COUNT, NULL, "ft_tracee_2");
	make(4, FTRACE_OPS_FL_LEAF, (const void *)leaf_code->start, "ft_tracee_[0123]");
	make(5, FTRACE_OPS_FL_DIRECT, (const void *)leaf_code->start, "ft_tracee_1");
	fill_pool(blocks, ARRAY_SIZE(blocks), &nr);
	report(nr && nr < ARRAY_SIZE(blocks), "the pool is full with %u blocks", nr);
	must(register_ftrace_functions(list, 4), "register");
	report(dispatch_set_shared() > shared, "%lu sets share a trampoline", dispatch_set_shared() - shared);
	/* While a site goes from one to the other it may find either there. */
	report(target(0) == target(3), "one with all registers, whoever needs them");
	check_full_calls(0, "shared");
	report(ftrace_ops_hits(&ops[3]) == 10, "%lu hits", ftrace_ops_hits(&ops[3]));
	must(register_ftrace_function(list[4]), "a leaf beside them");
	check_full_calls(40, "with a leaf");
	report(register_ftrace_function(list[5]) == -ENOSPC && dispatch_set_refused() == refused + 1,
	       "a direct one beside them is refused");
	check_full_calls(40, "as before");
	must(unregister_ftrace_functions(list, 4), "unregister");
	report(target(1) == leaf_code->start, "the leaf is left alone");
	must(unregister_ftrace_function(list[4]), "unregister");
	must(register_ftrace_function(list[5]), "a direct one alone needs no room");
	report(register_ftrace_function(list[0]) == -ENOSPC && !target(0), "nobody can join it");
	must(unregister_ftrace_function(list[5]), "unregister");
	if (arch_fgraph_supported())
		check_graph_without_room();
	while (nr)
		code_pool_free(blocks[--nr]);
	code_pool_free(leaf_code);
	report(text_hash() == hash, "text is as it was");
}

/* ---- put off ----------------------------------------------------------------------------- */

static int results[3];

static notrace void leave(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	counts[0]++;
	if (counts[0] > 1)
		return;
	results[0] = unregister_ftrace_function(op);
	results[1] = unregister_ftrace_function_deferred(op);
	results[2] = unregister_ftrace_function_deferred(op);
}

static bool is_gone_soon(struct ftrace_ops *op)
{
	for (unsigned int n = 0; n < 100 && ftrace_ops_is_registered(op); n++)
		thread_sleep_ms(20);
	return !ftrace_ops_is_registered(op);
}

static void put_off_in_interrupt(void *arg)
{
	results[0] = unregister_ftrace_function(arg);
	results[1] = unregister_ftrace_function_deferred(arg);
}

DEFINE_TEST(ftrace_deferred)
{
	u64 hash = text_hash();

	make(0, 0, leave, "ft_tracee_*");
	report(unregister_ftrace_function_deferred(list[0]) == -ENOENT, "not registered");
	must(register_ftrace_function(list[0]), "register");
	call_tracees(1);
	report(results[0] == -EBUSY && results[1] == 0 && results[2] == -EBUSY,
	       "in its own callback: %d, later %d, twice %d", results[0], results[1], results[2]);
	report(is_gone_soon(list[0]) && !target(0), "it is gone after %lu calls", counts[0]);
	make(0, 0, count, "ft_tracee_*");
	must(register_ftrace_function(list[0]), "register");
	port_soft_irq(put_off_in_interrupt, list[0]);
	report(results[0] == -EBUSY && results[1] == 0, "in an interrupt: %d, later %d", results[0], results[1]);
	report(is_gone_soon(list[0]), "it is gone");
	report(text_hash() == hash, "text is as it was");
}
