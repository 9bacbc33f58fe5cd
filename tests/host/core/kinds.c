// SPDX-License-Identifier: MIT
/*
 * Ops in numbers and of every kind, in both designs: batches, more than are
 * unrolled, leaves, counters, who decides where a function goes on, a code pool
 * that is full, unregistering put off.
 */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/baretrace.h"
#include "core/dispatch.h"

/* One CPU, started: quiesce() makes its rounds and finds nobody. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

/* What a callback of it would get that runs while the ops is being unregistered. */
static struct ftrace_ops *leaver;
static int put_off_result;

int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg)
{
	if (leaver)
		put_off_result = unregister_ftrace_function_deferred(leaver);
	return 0;
}

#define NR_FUNCTIONS	50

#define MANY	40

static unsigned int order_of_calls[2 * MANY], nr_order;
static struct ftrace_ops many[MANY];
static struct ftrace_ops *list[MANY];

static void record(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		   struct ftrace_regs *fregs)
{
	check(nr_order < ARRAY_SIZE(order_of_calls));
	order_of_calls[nr_order++] = op - many;
}

static void own_code(void)
{
	check(nr_order < ARRAY_SIZE(order_of_calls));
	order_of_calls[nr_order++] = MANY;
}

static void make(unsigned int i, unsigned int flags, ftrace_func_t func)
{
	many[i].flags = flags;
	many[i].func = func;
}

static void make_all(void)
{
	memset(many, 0, sizeof(many));
	for (unsigned int i = 0; i < MANY; i++) {
		list[i] = &many[i];
		make(i, 0, record);
		check(ftrace_set_filter(&many[i], "f3", true) == 1);
	}
}

static void free_all(void)
{
	for (unsigned int i = 0; i < MANY; i++)
		ftrace_free_filter(&many[i]);
}

/* Call f3; these are called, in this order, MANY being code of an op's own. */
static bool calls(unsigned int nr, const unsigned int *expected)
{
	nr_order = 0;
	fake_call(3);
	return nr_order == nr && !memcmp(order_of_calls, expected, nr * sizeof(*expected));
}
#define CALLS(...) \
	calls(sizeof((unsigned int[]){ __VA_ARGS__ }) / sizeof(unsigned int), (unsigned int[]){ __VA_ARGS__ })

static void test_batches(void)
{
	unsigned int expected[MANY], batches, nr;

	make_all();
	for (nr = 0; nr < MANY; nr++)
		expected[nr] = nr;
	for (nr = 15; nr <= MANY; nr++) {
		batches = fake_batches;
		check(register_ftrace_functions(list, nr) == 0);
		check(fake_batches == batches + 1);
		check(calls(nr, expected));
		check(unregister_ftrace_functions(list, nr) == 0);
		check(fake_batches == batches + 2);
	}
	free_all();
}

static void test_refused_batches(void)
{
	make_all();
	list[1] = list[0];
	check(register_ftrace_functions(list, 2) == -EBUSY && !fake_call(3));
	check(register_ftrace_function(list[0]) == 0);
	check(register_ftrace_functions(list + 2, 3) == 0);
	check(unregister_ftrace_functions(list, 4) == -ENOENT);
	check(CALLS(0, 2, 3, 4));
	list[1] = NULL;
	check(unregister_ftrace_functions(list, 4) == -EINVAL);
	check(CALLS(0, 2, 3, 4));
	list[1] = list[4];
	check(unregister_ftrace_functions(list, 4) == 0);
	check(!fake_call(3));
	free_all();
}

static void test_kinds(void)
{
	make_all();
	make(0, FTRACE_OPS_FL_IPMODIFY, record);
	make(1, FTRACE_OPS_FL_DIRECT, (ftrace_func_t)own_code);
	make(3, FTRACE_OPS_FL_LEAF, (ftrace_func_t)own_code);
	make(4, FTRACE_OPS_FL_COUNT, NULL);
	check(register_ftrace_functions(list, 2) == -EBUSY);
	check(!fake_call(3) && !ftrace_ops_is_registered(list[0]));
	check(register_ftrace_function(list[1]) == 0 && CALLS(MANY));
	check(register_ftrace_function(list[0]) == -EBUSY);
	check(register_ftrace_functions(list + 2, 3) == 0);
	/* A callback, the leaf, and the direct one last. */
	check(CALLS(2, MANY, MANY) && ftrace_ops_hits(list[4]) == 1);
	check(unregister_ftrace_function(list[1]) == 0);
	check(register_ftrace_function(list[0]) == 0);
	check(CALLS(2, MANY, 0));
	/* So it is when it was there before them. */
	check(unregister_ftrace_functions(list + 2, 3) == 0 && register_ftrace_functions(list + 2, 3) == 0);
	check(CALLS(2, MANY, 0) && ftrace_ops_hits(list[4]) == 1);
	list[1] = list[4];
	check(unregister_ftrace_functions(list, 4) == 0 && ftrace_ops_hits(&many[4]) == 1);
	free_all();
}

/* The same order from the loop that a trampoline calls when there are more than it unrolls. */
static void test_kinds_in_loop(void)
{
	unsigned int expected[21];

	for (unsigned int decides = 0; decides < 20; decides += 7) {
		unsigned int n = 0;

		make_all();
		make(decides, FTRACE_OPS_FL_IPMODIFY, record);
		make(1, FTRACE_OPS_FL_LEAF, (ftrace_func_t)own_code);
		make(2, FTRACE_OPS_FL_COUNT, NULL);
		for (unsigned int i = 0; i < 20; i++)
			if (i != decides && i != 2)
				expected[n++] = i == 1 ? MANY : i;
		expected[n++] = decides;
		check(register_ftrace_functions(list, 20) == 0);
		check(calls(n, expected) && ftrace_ops_hits(list[2]) == 1);
		/* A direct one in its place. */
		check(unregister_ftrace_function(list[decides]) == 0);
		make(decides, FTRACE_OPS_FL_DIRECT, (ftrace_func_t)own_code);
		check(register_ftrace_function(list[decides]) == 0);
		expected[n - 1] = MANY;
		check(calls(n, expected));
		check(unregister_ftrace_functions(list, 20) == 0);
		free_all();
	}
}

static void test_misuse(void)
{
	static const unsigned int bad[] = {
		FTRACE_OPS_FL_LEAF | FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_LEAF | FTRACE_OPS_FL_RECURSION,
		FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_LEAF,
		FTRACE_OPS_FL_COUNT, FTRACE_OPS_FL_ENABLED << 2, 1u << 15,
	};

	make_all();
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		make(0, bad[i], (ftrace_func_t)own_code);
		check(register_ftrace_function(list[0]) == -EINVAL && !ftrace_ops_is_registered(list[0]));
	}
	make(0, FTRACE_OPS_FL_DIRECT, (ftrace_func_t)record);	/* in no symbol that is known here */
	check(register_ftrace_function(list[0]) == -EINVAL);
	free_all();
}

static void test_counters(void)
{
	make_all();
	for (unsigned int i = 0; i <= fake_nr_counters; i++)
		make(i, FTRACE_OPS_FL_COUNT, NULL);
	check(register_ftrace_functions(list, fake_nr_counters + 1) == -ENOSPC && !fake_call(3));
	check(register_ftrace_functions(list, fake_nr_counters) == 0 && fake_call(3));
	check(register_ftrace_function(list[fake_nr_counters]) == -ENOSPC);
	for (unsigned int i = 0; i < fake_nr_counters; i++)
		check(ftrace_ops_hits(list[i]) == 1);
	check(unregister_ftrace_function(list[2]) == 0);
	check(register_ftrace_function(list[fake_nr_counters]) == 0);
	fake_call(3);
	check(ftrace_ops_hits(list[2]) == 1 && ftrace_ops_hits(list[fake_nr_counters]) == 1);
	list[2] = list[fake_nr_counters];
	check(unregister_ftrace_functions(list, fake_nr_counters) == 0);
	free_all();
}

/* Code that sites do not reach is called, or jumped to, from a trampoline, alone too. */
static void test_out_of_reach(void)
{
	static const unsigned int kinds[] = { FTRACE_OPS_FL_LEAF, FTRACE_OPS_FL_DIRECT };
	const struct dyn_ftrace *rec = site_find(fake_ip(3));

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(kinds); i++) {
		make_all();
		make(0, kinds[i / 2], (ftrace_func_t)own_code);
		fake_own_code_is_far = i % 2;
		check(register_ftrace_functions(list, 2) == 0 && (i / 2 ? CALLS(1, MANY) : CALLS(MANY, 1)));
		check(unregister_ftrace_function(list[1]) == 0 && CALLS(MANY));
		check((site_target(rec) == fake_own_code) == !fake_own_code_is_far);
		check(unregister_ftrace_function(list[0]) == 0 && !fake_call(3));
		free_all();
	}
	fake_own_code_is_far = false;
}

static void test_pool_full(void)
{
	unsigned long shared = dispatch_set_shared(), refused = dispatch_set_refused();

	make_all();
	make(1, FTRACE_OPS_FL_COUNT, NULL);
	make(2, FTRACE_OPS_FL_LEAF, (ftrace_func_t)own_code);
	make(4, FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_SAVE_REGS, record);
	fake_pool_full = true;
	check(register_ftrace_functions(list, 2) == 0);
	check(dispatch_set_shared() == shared + 1);
	check(register_ftrace_functions(list + 3, 2) == 0);
	check(CALLS(0, 3, 4) && ftrace_ops_hits(list[1]) == 1);
	check(register_ftrace_function(list[2]) == 0);
	check(CALLS(0, 3, 4, MANY));
	check(unregister_ftrace_function(list[2]) == 0 && CALLS(0, 3, 4));
	/* What must be jumped to needs a trampoline of its own. */
	make(2, FTRACE_OPS_FL_DIRECT, (ftrace_func_t)own_code);
	check(register_ftrace_function(list[2]) == -ENOSPC && dispatch_set_refused() == refused + 1);
	check(CALLS(0, 3, 4));
	fake_pool_full = false;
	list[2] = list[4];
	check(unregister_ftrace_functions(list, 4) == 0);
	free_all();
}

/* A set whose target cannot be made keeps the one that it has, code and all. */
static void test_target_fails(void)
{
	const struct dispatch_design *design = dispatch_current();
	struct code_block block = { .start = 0x123450 };
	struct ops_set *set = calloc(1, sizeof(*set) + 2 * sizeof(set->ops[0]));

	make_all();
	make(1, FTRACE_OPS_FL_DIRECT, (ftrace_func_t)own_code);
	set->nr = 2;
	set->ops[0] = list[0];
	set->ops[1] = list[1];
	set->target = block.start;
	set->block = &block;
	fake_pool_full = true;
	check(design->target(set) == -ENOSPC);
	check(set->target == block.start && set->block == &block);
	fake_pool_full = false;
	check(design->target(set) == 0 && set->block != &block && set->target == set->block->start);
	code_pool_free(set->block);
	free(set);
	free_all();
}

static void put_off_self(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			 struct ftrace_regs *fregs)
{
	check(unregister_ftrace_function_deferred(op) == 0);
	check(unregister_ftrace_function_deferred(op) == -EBUSY);
}

static void test_deferred(void)
{
	struct ftrace_ops op = { .func = put_off_self }, second = { .func = put_off_self };

	check(unregister_ftrace_function_deferred(&op) == -ENOENT);
	check(register_ftrace_function(&op) == 0);
	fake_call(1);
	check(ftrace_ops_is_registered(&op));
	check(unregister_ftrace_function(&op) == -EBUSY);
	/* What fails is tried again. */
	fake_fail_after = 0;
	check(baretrace_poll() == 0 && ftrace_ops_is_registered(&op));
	fake_fail_after = -1;
	check(register_ftrace_function(&second) == 0);
	check(unregister_ftrace_function_deferred(&second) == 0);
	check(baretrace_poll() == 2);
	check(!ftrace_ops_is_registered(&op) && !ftrace_ops_is_registered(&second));
	check(baretrace_poll() == 0 && !fake_call(1));
}

/* Who has unregistered an ops may free it: no queue may have it then. */
static void test_deferred_too_late(void)
{
	struct ftrace_ops *op = calloc(1, sizeof(*op));

	op->func = record;
	check(register_ftrace_function(op) == 0);
	leaver = op;
	put_off_result = 0;
	check(unregister_ftrace_function(op) == 0);
	check(put_off_result == -EBUSY);
	leaver = NULL;
	check(register_ftrace_function(op) == 0);
	check(unregister_ftrace_function_deferred(op) == 0);
	check(baretrace_poll() == 1);
	free(op);
	check(baretrace_poll() == 0);
}

static void test_design(const char *name)
{
	check(dispatch_select(name) == 0);
	test_batches();
	test_refused_batches();
	test_kinds();
	test_kinds_in_loop();
	test_misuse();
	test_counters();
	test_out_of_reach();
	if (!strcmp(name, "set"))
		test_pool_full();
	test_target_fails();
	test_deferred();
	test_deferred_too_late();
}

int main(void)
{
	fake_smp = true;
	fake_sites(NR_FUNCTIONS, NULL);
	fake_own_code = (unsigned long)own_code;
	check(ftrace_init() == 0);
	test_design("set");
	test_design("list");
	return check_summary();
}
