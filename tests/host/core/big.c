// SPDX-License-Identifier: MIT
/* 20,000 functions: what must be linear in patterns, functions and ops is. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/host.h"
#include "core/ops_set.h"

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { return 0; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

#define NR_FUNCTIONS	20000
#define NR_OPS		2000
#define NR_EVERYWHERE	10

static unsigned long calls;

static void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs)
{
	calls++;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Exact names one by one, in an order that is not the table's. */
static double patterns(unsigned int nr)
{
	struct ftrace_ops op = { .func = count };
	double from = now();
	char name[16];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		sprintf(name, "f%u", i * 7919 % NR_FUNCTIONS);
		check(ftrace_set_filter(&op, name, false) == 1);
	}
	check(register_ftrace_function(&op) == 0);
	calls = 0;
	for (i = 0; i < NR_FUNCTIONS; i++)
		fake_call(i);
	check(calls == nr);
	check(unregister_ftrace_function(&op) == 0);
	ftrace_free_filter(&op);
	return now() - from;
}

/* ---- ops that hook single functions: each has a set of its own ---- */

struct work {
	unsigned long sets;	/* looked at */
	size_t bytes;
};

static struct work done;

struct ops_set *__real_ops_set_at(u32 index);
struct ops_set *__real_ops_set_after(const struct ops_set *set);
struct ops_set *__wrap_ops_set_at(u32 index);
struct ops_set *__wrap_ops_set_after(const struct ops_set *set);

struct ops_set *__wrap_ops_set_at(u32 index)
{
	done.sets++;
	return __real_ops_set_at(index);
}

struct ops_set *__wrap_ops_set_after(const struct ops_set *set)
{
	done.sets++;
	return __real_ops_set_after(set);
}

static struct work work_since(struct work start)
{
	return (struct work){ done.sets - start.sets, fake_bytes - start.bytes };
}

static struct work work_now(void)
{
	return (struct work){ done.sets, fake_bytes };
}

/* Beside @nr others. Return: what the last one's coming and its going took. */
static struct work single_ops(unsigned int nr)
{
	struct ftrace_ops *ops = calloc(nr + 1, sizeof(*ops));
	struct work start, work;
	unsigned int i;

	for (i = 0; i <= nr; i++) {
		ops[i].func = count;
		check(ftrace_set_filter_ip(&ops[i], fake_ip(i * 9), false, false) == 0);
		start = work_now();
		check(register_ftrace_function(&ops[i]) == 0);
	}
	check(ops_set_total() == nr + 1);
	check(unregister_ftrace_function(&ops[nr]) == 0);
	work = work_since(start);
	for (i = 0; i < nr; i++)
		check(unregister_ftrace_function(&ops[i]) == 0);
	for (i = 0; i <= nr; i++)
		ftrace_free_filter(&ops[i]);
	free(ops);
	return work;
}

/* None looks at the sets of others, or asks for memory by their number; the list of all is copied. */
static void test_single_ops(void)
{
	struct work few, many;
	unsigned int objects;

	single_ops(NR_OPS);		/* the tables have grown: what comes now finds room */
	objects = fake_objects;
	few = single_ops(20);
	many = single_ops(NR_OPS);
	check(fake_objects == objects);
	printf("one op beside 20: %lu sets, %zu bytes; beside %u: %lu sets, %zu bytes\n",
	       few.sets, few.bytes, NR_OPS, many.sets, many.bytes);
	check(few.sets && few.sets == many.sets);
	check(many.bytes - few.bytes == 2 * (NR_OPS - 20) * sizeof(struct ftrace_ops *));
}

/* All functions, each with all ops. */
static void everywhere(void)
{
	static struct ftrace_ops ops[NR_EVERYWHERE];
	unsigned int i;

	for (i = 0; i < NR_EVERYWHERE; i++) {
		ops[i].func = count;
		check(register_ftrace_function(&ops[i]) == 0);
		check(ops_set_total() == 1);
	}
	calls = 0;
	for (i = 0; i < NR_FUNCTIONS; i++)
		fake_call(i);
	check(calls == NR_FUNCTIONS * NR_EVERYWHERE);
	for (i = 0; i < NR_EVERYWHERE; i++)
		check(unregister_ftrace_function(&ops[i]) == 0);
}

int main(void)
{
	double few, many;

	fake_smp = true;
	fake_sites(NR_FUNCTIONS, NULL);
	patterns(1);			/* makes the index */
	few = patterns(2000);
	many = patterns(20000);
	printf("patterns: 2,000 %.4f s, 20,000 %.4f s\n", few, many);
	check(many < 25 * few + 0.05);
	test_single_ops();
	everywhere();
	check(ops_set_total() == 0);
	return check_summary();
}
