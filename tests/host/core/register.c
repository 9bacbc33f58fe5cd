// SPDX-License-Identifier: MIT
/*
 * Registering, unregistering and changing filters and designs at random, against a model that
 * says for each function which ops are called and in which order; with failures
 * at every step, after which all must be as before.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/context.h"
#include "core/dispatch.h"
#include "core/ops_set.h"

/* One CPU, started: quiesce() makes its rounds and finds nobody. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { return 0; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

#define NR_FUNCTIONS	50
#define NR_OPS		5

static const char *const designs[] = { "list", "set", "third" };

static struct ftrace_ops *ops[NR_OPS];	/* on the heap: an ops that is gone is poisoned */
static unsigned int nr_called;
static const struct ftrace_ops *called[NR_OPS];

static void record(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		   struct ftrace_regs *fregs)
{
	check(nr_called < NR_OPS);
	check(!(op->flags & FTRACE_OPS_FL_SAVE_REGS) || ftrace_get_regs(fregs));
	called[nr_called++] = op;
}

/* ---- the model -------------------------------------------------------------- */

struct model {
	bool registered;
	unsigned long order;
	bool has_filter, filter[NR_FUNCTIONS], hidden[NR_FUNCTIONS];
};

static struct model models[NR_OPS];
static unsigned long model_order;

static bool model_wants(const struct model *m, unsigned int f)
{
	return m->registered && !m->hidden[f] && (!m->has_filter || m->filter[f]);
}

static void check_function(unsigned int f)
{
	bool seen[NR_OPS] = { false };
	unsigned int expected = 0, i, n;
	unsigned long last = 0;

	nr_called = 0;
	fake_call(f);
	for (n = 0; n < nr_called; n++) {
		for (i = 0; ops[i] != called[n]; i++)
			;
		check(!seen[i] && models[i].order > last);
		seen[i] = true;
		last = models[i].order;
	}
	for (i = 0; i < NR_OPS; i++) {
		check(seen[i] == model_wants(&models[i], f));
		expected += model_wants(&models[i], f);
	}
	check(expected == nr_called);
	/* Off means off, not a walk over nobody. */
	check(!expected == !site_target(site_find(fake_ip(f))));
}

/* As many users of each set as records have it; and those are all sets. */
static void check_users(void)
{
	unsigned int nr = 0;

	for (const struct ops_set *set = ops_set_first(); set; set = ops_set_after(set), nr++) {
		unsigned int users = 0;

		for (unsigned int i = 0; i < nr_sites(); i++)
			users += site_at(i)->set == set->index;
		check(users && set->users == users);
	}
	check(nr == ops_set_total());
}

static void check_all(void)
{
	unsigned int f;

	for (f = 0; f < NR_FUNCTIONS; f++)
		check_function(f);
	check_users();
}

/* ---- random changes ------------------------------------------------------------ */

static void random_pattern(char *text)
{
	static const char *const some[] = { "*", "f*", "f1*", "*2", "f?", "f[2-4]?", "*[!0-4]", "g*", "f[" };

	if (rand() % 2)
		sprintf(text, "f%u", rand() % (NR_FUNCTIONS + 2));
	else
		strcpy(text, some[rand() % ARRAY_SIZE(some)]);
}

/* What the patterns above say, in other words. */
static bool names_match(const char *pattern, unsigned int f)
{
	char name[8];

	sprintf(name, "f%u", f);
	if (!strcmp(pattern, "*") || !strcmp(pattern, "f*"))
		return true;
	if (!strcmp(pattern, "f1*"))
		return name[1] == '1';
	if (!strcmp(pattern, "*2"))
		return f % 10 == 2;
	if (!strcmp(pattern, "f?"))
		return f < 10;
	if (!strcmp(pattern, "f[2-4]?"))
		return f >= 20 && f < 50;
	if (!strcmp(pattern, "*[!0-4]"))
		return f % 10 > 4;
	return !strcmp(pattern, name);
}

static void model_set(bool *list, const char *pattern, bool reset)
{
	unsigned int f;

	if (reset)
		memset(list, 0, NR_FUNCTIONS * sizeof(*list));
	for (f = 0; f < NR_FUNCTIONS; f++)
		list[f] |= names_match(pattern, f);
}

static int change_list(unsigned int i)
{
	bool notrace_list = rand() % 3 == 0, reset = rand() % 2;
	char pattern[16];
	int ret;

	random_pattern(pattern);
	ret = notrace_list ? ftrace_set_notrace(ops[i], pattern, reset)
			   : ftrace_set_filter(ops[i], pattern, reset);
	if (ret < 0) {
		bool bad = !strcmp(pattern, "f["), none = pattern[0] == 'g';
		bool unknown = atoi(pattern + 1) >= NR_FUNCTIONS;

		check(fake_failed || (ret == -EINVAL && (bad || unknown)) || (ret == -ENOENT && none));
		return fake_failed ? -1 : 0;
	}
	model_set(notrace_list ? models[i].hidden : models[i].filter, pattern, reset);
	models[i].has_filter |= !notrace_list;
	return 0;
}

static int toggle(unsigned int i)
{
	struct model *m = &models[i];
	int err;

	if (m->registered) {
		check(register_ftrace_function(ops[i]) == -EBUSY);
		err = unregister_ftrace_function(ops[i]);
	} else {
		ops[i]->flags = rand() % 8 & FTRACE_OPS_FL_ALL;
		err = register_ftrace_function(ops[i]);
	}
	check(!err || fake_failed);
	if (err)
		return -1;
	m->registered = !m->registered;
	m->order = m->registered ? ++model_order : 0;
	return 0;
}

/* All that are registered go in one call, or all that are not come, or half of them. */
static int toggle_many(void)
{
	bool registered = rand() % 2;
	struct ftrace_ops *chosen[NR_OPS];
	unsigned int nr = 0, i;
	int err;

	for (i = 0; i < NR_OPS; i++) {
		if (models[i].registered == registered && rand() % 4)
			chosen[nr++] = ops[i];
	}
	for (i = 0; i < nr && !registered; i++)
		chosen[i]->flags = rand() % 8 & FTRACE_OPS_FL_ALL;
	err = registered ? unregister_ftrace_functions(chosen, nr) : register_ftrace_functions(chosen, nr);
	check(!err || fake_failed);
	if (err)
		return -1;
	for (i = 0; i < NR_OPS; i++) {
		for (unsigned int n = 0; n < nr; n++) {
			if (ops[i] != chosen[n])
				continue;
			models[i].registered = !registered;
			models[i].order = registered ? 0 : ++model_order;
		}
	}
	return 0;
}

/* An ops that is not registered may be freed and made again. */
static void renew(unsigned int i)
{
	if (models[i].registered)
		return;
	if (ops[i])
		ftrace_free_filter(ops[i]);
	free(ops[i]);
	ops[i] = calloc(1, sizeof(*ops[i]));
	ops[i]->func = record;
	memset(&models[i], 0, sizeof(models[i]));
}

static int change_design(void)
{
	int err = dispatch_select(designs[rand() % ARRAY_SIZE(designs)]);

	check(!err || fake_failed);
	return err;
}

static int random_change(void)
{
	unsigned int i = rand() % NR_OPS;

	switch (rand() % 18) {
	case 16: case 17:
		return toggle_many();
	case 0: case 3: case 4:
		renew(i);
		return 0;
	case 5:
		return change_design();
	case 6: case 7: case 8: case 9:
		return toggle(i);
	default:
		return change_list(i);
	}
}

static void start(void)
{
	unsigned int i;

	for (i = 0; i < NR_OPS; i++)
		renew(i);
}

static void finish(void)
{
	unsigned int i;

	for (i = 0; i < NR_OPS; i++) {
		if (models[i].registered)
			check(toggle(i) == 0);
		renew(i);
	}
	check_all();
	check(ops_set_total() == 0);
	check(!ftrace_ops_list);
	/* Each design has two walkers, which stay. */
	check(fake_blocks <= 2 * ARRAY_SIZE(designs));
}

static void test_random(void)
{
	unsigned int n;

	start();
	for (n = 0; n < 3000; n++) {
		random_change();
		check_all();
	}
	finish();
	check(fake_batches > 1000);
}

/*
 * The same random change, made to fail at its first step, then at its second ...:
 * each time all is as before, down to the number of objects and bytes of code.
 */
static void test_failures(void)
{
	unsigned int n, seed, at, failures = 0;

	start();
	for (n = 0; n < 1500; n++) {
		seed = rand();
		for (at = 0; ; at++) {
			unsigned int objects = fake_objects, sets = ops_set_total();
			unsigned int blocks = fake_blocks;

			srand(seed);
			fake_failed = false;
			fake_fail_after = at;
			/* A full pool may be no failure. */
			if (random_change() == 0)
				break;
			fake_fail_after = -1;
			failures++;
			check(ops_set_total() == sets);
			/* What grows for good: tables of sets, the walkers, the index of names. */
			check(fake_objects <= objects + 3 && fake_blocks <= blocks + 2);
			if (failures % 7 == 0)
				check_all();
		}
		fake_fail_after = -1;
		srand(seed + 1);
		check_all();
	}
	finish();
	check(failures > 1000);
}

/* ---- what each site costs --------------------------------------------------------- */

static void test_touches_only_what_changes(void)
{
	struct ftrace_ops a = { .func = record }, b = { .func = record };
	unsigned int pokes;

	ops[0] = &a, ops[1] = &b;
	check(register_ftrace_function(&a) == 0);
	check(ftrace_set_filter(&b, "f7", false) == 1);
	pokes = fake_pokes;
	check(register_ftrace_function(&b) == 0);
	check(fake_pokes == pokes + 1);
	check(ops_set_total() == 2);
	check(ftrace_set_filter(&b, "f8", true) == 1);
	check(fake_pokes == pokes + 3);
	/* Already there: no site changes. */
	check(ftrace_set_filter(&b, "f8", false) == 1);
	check(fake_pokes == pokes + 3);
	check(unregister_ftrace_function(&b) == 0);
	check(fake_pokes == pokes + 4);
	check(unregister_ftrace_function(&a) == 0);
	ftrace_free_filter(&b);
	memset(ops, 0, sizeof(ops));
}

static void test_misuse(void)
{
	struct ftrace_ops bad = { .func = NULL };

	check(register_ftrace_function(&bad) == -EINVAL);
	check(register_ftrace_function(NULL) == -EINVAL);
	check(unregister_ftrace_function(NULL) == -EINVAL);
	check(unregister_ftrace_function(&bad) == -ENOENT);
	bad.func = record;
	bad.flags = 1u << 9;
	check(register_ftrace_function(&bad) == -EINVAL);
	check(dispatch_select("none such") == -EINVAL);
	for (unsigned int i = 0; i < ARRAY_SIZE(designs); i++) {
		check(dispatch_select(designs[i]) == 0);
		check(!strcmp(dispatch_current()->name, designs[i]));
	}
}

/* ---- assists --------------------------------------------------------------------------- */

static unsigned int nr_calls;

static void recurse(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		    struct ftrace_regs *fregs)
{
	nr_calls++;
	check(nr_calls < 10);
	fake_call(3);
}

static void test_assists(void)
{
	struct ftrace_ops guarded = { .func = recurse, .flags = FTRACE_OPS_FL_RECURSION };
	struct ftrace_ops second = { .func = recurse,
				     .flags = FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU };

	check(register_ftrace_function(&guarded) == 0);
	fake_call(1);
	check(nr_calls == 1 && guarded.recursed == 1);
	check(fake_trace_state.recursion == 0);
	check(register_ftrace_function(&second) == 0);
	fake_call(1);
	check(nr_calls == 3 && guarded.recursed == 3 && second.recursed == 2);
	fake_watching = false;
	fake_call(1);
	check(nr_calls == 4 && second.not_watching == 2 && second.recursed == 2);
	fake_watching = true;
	check(unregister_ftrace_function(&guarded) == 0);
	fake_call(1);
	check(nr_calls == 5 && second.recursed == 3);
	check(unregister_ftrace_function(&second) == 0);
}

int main(int argc, char **argv)
{
	srand(argc > 1 ? atoi(argv[1]) : 1);
	fake_smp = true;
	fake_sites(NR_FUNCTIONS, NULL);
	check(ftrace_init() == 0);
	test_misuse();
	test_touches_only_what_changes();
	test_assists();
	test_random();
	test_failures();
	return check_summary();
}
