// SPDX-License-Identifier: MIT
/*
 * Many ops of every kind, registered and unregistered at random, one by one, in batches and
 * put off, in both designs, with a code pool that is full now and then, and with failures
 * at random steps; against a model that says for each function who is called in which order.
 *
 * usage: mixture [SEED]
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/baretrace.h"
#include "core/dispatch.h"
#include "core/ops_set.h"

/* One CPU, started: quiesce() makes its rounds and finds nobody. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { return 0; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

#define NR_FUNCTIONS	8
#define NR_OPS		60
#define OWN_CODE	NR_OPS		/* in place of an op's number */
#define CHANGES		3000
#define DECIDES		(FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)

struct model {
	bool registered;
	unsigned long order;
	bool wants[NR_FUNCTIONS];
};

static struct ftrace_ops *ops[NR_OPS];	/* on the heap: one that is gone is poisoned */
static struct model models[NR_OPS];
static unsigned long registrations;
static unsigned int called[2 * NR_OPS], nr_called;

static unsigned int number_of(const struct ftrace_ops *op)
{
	unsigned int i = 0;

	while (ops[i] != op)
		i++;
	return i;
}

static void note(unsigned int i)
{
	check(nr_called < ARRAY_SIZE(called));
	called[nr_called++] = i;
}

static void record(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		   struct ftrace_regs *fregs)
{
	check(!(op->flags & FTRACE_OPS_FL_SAVE_REGS) || ftrace_get_regs(fregs));
	note(number_of(op));
}

static void own_code(void)
{
	note(OWN_CODE);
}

/* ---- the model -------------------------------------------------------------- */

static bool wants(unsigned int i, unsigned int f)
{
	return models[i].registered && models[i].wants[f];
}

static int by_order(const void *a, const void *b)
{
	unsigned long x = models[*(const unsigned int *)a].order, y = models[*(const unsigned int *)b].order;

	return x < y ? -1 : x > y;
}

/* In order of registration; who may change where it goes on; direct code. Return: how many. */
static unsigned int expect(unsigned int f, unsigned int *expected)
{
	unsigned int all[NR_OPS], nr = 0, n = 0;

	for (unsigned int i = 0; i < NR_OPS; i++)
		if (wants(i, f))
			all[nr++] = i;
	qsort(all, nr, sizeof(all[0]), by_order);
	for (unsigned int i = 0; i < nr; i++)
		if (!(ops[all[i]]->flags & (FTRACE_OPS_FL_COUNT | DECIDES)))
			expected[n++] = ops[all[i]]->flags & FTRACE_OPS_FL_LEAF ? OWN_CODE : all[i];
	for (unsigned int i = 0; i < nr; i++)
		if (ops[all[i]]->flags & DECIDES)
			expected[n++] = ops[all[i]]->flags & FTRACE_OPS_FL_DIRECT ? OWN_CODE : all[i];
	return n;
}

static void check_function(unsigned int f)
{
	unsigned int expected[2 * NR_OPS], nr = expect(f, expected), nr_wants = 0;
	unsigned long hits[NR_OPS];

	for (unsigned int i = 0; i < NR_OPS; i++)
		hits[i] = ftrace_ops_hits(ops[i]);
	nr_called = 0;
	fake_call(f);
	check(nr_called == nr && !memcmp(called, expected, nr * sizeof(expected[0])));
	for (unsigned int i = 0; i < NR_OPS; i++) {
		bool counts = ops[i]->flags & FTRACE_OPS_FL_COUNT && wants(i, f);

		check(ftrace_ops_hits(ops[i]) == hits[i] + counts);
		nr_wants += wants(i, f);
	}
	check(!nr_wants == !site_target(site_find(fake_ip(f))));
}

/* Would two decide at one function? */
static bool conflicts(const bool *comes)
{
	for (unsigned int f = 0; f < NR_FUNCTIONS; f++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < NR_OPS; i++)
			n += ops[i]->flags & DECIDES && models[i].wants[f] && (models[i].registered || comes[i]);
		if (n > 1)
			return true;
	}
	return false;
}

/* ---- random changes ------------------------------------------------------------ */

/* Two of three are plain callbacks. */
static void choose_kind(struct ftrace_ops *op)
{
	static const unsigned int kinds[18] = {
		FTRACE_OPS_FL_COUNT, FTRACE_OPS_FL_COUNT, FTRACE_OPS_FL_LEAF, FTRACE_OPS_FL_LEAF,
		FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_IPMODIFY,
	};

	op->flags = kinds[rand() % ARRAY_SIZE(kinds)];
	op->func = record;
	if (op->flags & (FTRACE_OPS_FL_LEAF | FTRACE_OPS_FL_DIRECT))
		op->func = (ftrace_func_t)own_code;
	else if (op->flags & FTRACE_OPS_FL_COUNT)
		op->func = NULL;
	else
		op->flags |= rand() & FTRACE_OPS_FL_ALL;
}

static void renew(unsigned int i)
{
	unsigned long ips[NR_FUNCTIONS];
	unsigned int n = 0;

	if (models[i].registered)
		return;
	fake_fail_after = -1;
	if (ops[i])
		ftrace_free_filter(ops[i]);
	free(ops[i]);
	ops[i] = calloc(1, sizeof(*ops[i]));
	choose_kind(ops[i]);
	for (unsigned int f = 0; f < NR_FUNCTIONS; f++) {
		models[i].wants[f] = rand() % 2;
		if (models[i].wants[f])
			ips[n++] = fake_ip(f);
	}
	if (!n) {
		models[i].wants[0] = true;
		ips[n++] = fake_ip(0);
	}
	check(!ftrace_set_filter_ips(ops[i], ips, n, true));
}

static void check_error(int err, bool conflict)
{
	check((err == -EBUSY && conflict) || err == -ENOSPC || fake_failed);
}

/* As many as come, or go, at once. */
static void change_batch(bool comes)
{
	struct ftrace_ops *list[NR_OPS];
	unsigned int numbers[NR_OPS], most = rand() % 40 + 1, n = 0;
	bool changes[NR_OPS] = { false }, conflict;
	int err;

	for (unsigned int i = 0; i < NR_OPS && n < most; i++) {
		if (models[i].registered == comes || rand() % 4 == 0)
			continue;
		if (ops[i]->flags & DECIDES && rand() % 4)	/* few of them get in beside others */
			continue;
		changes[i] = true;
		numbers[n] = i;
		list[n++] = ops[i];
	}
	conflict = comes && conflicts(changes);
	err = comes ? register_ftrace_functions(list, n) : unregister_ftrace_functions(list, n);
	check(!err ? !conflict : n > 0);
	if (err) {
		check_error(err, conflict);
		return;
	}
	for (unsigned int i = 0; i < n; i++) {
		models[numbers[i]].registered = comes;
		models[numbers[i]].order = ++registrations;
	}
}

static void put_off(unsigned int i)
{
	if (!models[i].registered)
		return;
	check(!unregister_ftrace_function_deferred(ops[i]));
	check(unregister_ftrace_function(ops[i]) == -EBUSY);
	while (baretrace_poll() != 1) {		/* it is tried again */
		check(fake_failed || fake_pool_full);
		fake_fail_after = -1;
		fake_pool_full = false;
	}
	models[i].registered = false;
}

static void exchange_designs(void)
{
	int err = dispatch_select(rand() % 2 ? "set" : "list");

	if (err)
		check_error(err, false);
}

static void change(void)
{
	switch (rand() % 8) {
	case 0:
	case 1:
		renew(rand() % NR_OPS);
		break;
	case 2:
		fake_pool_full = rand() % 3 == 0;
		break;
	case 3:
		exchange_designs();
		break;
	case 4:
		put_off(rand() % NR_OPS);
		break;
	case 5:
		change_batch(false);
		break;
	default:
		change_batch(true);
		break;
	}
}

int main(int argc, char **argv)
{
	unsigned int i, n, most = 0;

	srand(argc > 1 ? atoi(argv[1]) : 1);
	fake_smp = true;
	fake_sites(NR_FUNCTIONS, NULL);
	fake_own_code = (unsigned long)own_code;
	check(ftrace_init() == 0);
	for (i = 0; i < NR_OPS; i++)
		renew(i);
	for (n = 0; n < CHANGES; n++) {
		unsigned int nr = 0;

		fake_failed = false;
		if (rand() % 3 == 0)
			fake_fail_after = rand() % 60;
		change();
		fake_fail_after = -1;
		for (unsigned int f = 0; f < NR_FUNCTIONS; f++)
			check_function(f);
		for (i = 0; i < NR_OPS; i++)
			nr += models[i].registered;
		most = max(most, nr);
	}
	fake_pool_full = false;
	for (i = 0; i < NR_OPS; i++) {
		if (models[i].registered)
			check(!unregister_ftrace_function(ops[i]));
		ftrace_free_filter(ops[i]);
		free(ops[i]);
	}
	check(!ops_set_total());
	printf("at most %u ops at once, %lu sets shared a trampoline, %lu refused\n", most,
	       dispatch_set_shared(), dispatch_set_refused());
	check(most > 40 && dispatch_set_shared() && dispatch_set_refused());
	return check_summary();
}
