// SPDX-License-Identifier: MIT
/*
 * Threads suspended inside a call site, with each pc that can be there, while the site changes:
 * they go on as what it is then says. A thread is preempted in an interrupt that it makes itself,
 * whose handler moves it into the site.
 */
#include "tests/guest/inside_site.h"

#include "tests/test.h"

#include "base/atomic.h"
#include "base/host.h"
#include "core/ftrace.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define MOST_TRIES	50	/* with one CPU a tick may let the thread go too early */

static unsigned long hits[2];
unsigned int inside_calls;

static notrace void count_first(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	hits[0]++;
}

static notrace void count_second(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 struct ftrace_regs *fregs)
{
	hits[1]++;
}

static struct ftrace_ops ops[2] = {
	{ .func = count_first, .name = "inside 1" }, { .func = count_second, .name = "inside 2" },
};

#ifndef FLAVOUR_pg
noinline unsigned long inside_tracee(unsigned long x)
{
	inside_calls++;
	return x * 5 + 3;
}
#endif

/* ---- the thread that stands in the site ---- */

static struct {
	const struct inside_place *place;
	bool standing, gone_on;
	unsigned long result;
} stander;

static notrace void move_into_site(void *arg)
{
	struct dyn_ftrace *rec = site_of_function((unsigned long)inside_tracee);

	inside_enter(this_cpu()->irq_regs, rec->ip, stander.place, (unsigned long)arg);
	this_cpu()->need_resched = true;
	smp_store_release(&stander.standing, true);
}

static notrace int stand(void *arg)
{
	stander.result = inside_call(move_into_site, (void *)7, stander.place->pushed);
	smp_store_release(&stander.gone_on, true);
	return 0;
}

/*
 * Who keeps it from going on: a thread of its CPU that does not let itself be preempted. With
 * one CPU the writer is in its way, but for ticks.
 */
static bool held, let_go;

static notrace int hold(void *arg)
{
	while (!smp_load_acquire(&stander.standing))
		thread_yield();
	preempt_disable();
	smp_store_release(&held, true);
	while (!smp_load_acquire(&let_go))
		cpu_relax();
	preempt_enable();
	return 0;
}

struct suspended {
	struct thread *stander, *holder;
};

static struct suspended suspend(const struct inside_place *place)
{
	unsigned int cpu = smp_online() > 1 ? smp_online() - 1 : 0;
	struct suspended s = { NULL, NULL };

	stander.place = place;
	stander.standing = stander.gone_on = held = let_go = false;
	s.stander = thread_create("inside", stand, NULL, cpu);
	if (cpu)
		s.holder = thread_create("holder", hold, NULL, cpu);
	while (!smp_load_acquire(s.holder ? &held : &stander.standing))
		thread_yield();
	return s;
}

/* Return: was it suspended until now? */
static bool resume(struct suspended *s)
{
	bool suspended = !smp_load_acquire(&stander.gone_on);

	smp_store_release(&let_go, true);
	thread_join(s->stander);
	if (s->holder)
		thread_join(s->holder);
	return suspended;
}

/* ---- what changes meanwhile ---- */

/* Which of the two ops hook the site, as bits. */
static unsigned int hooked;

static int hook(unsigned int wanted)
{
	int err = 0;

	for (unsigned int i = 0; i < 2; i++) {
		unsigned int bit = 1u << i;

		if (!err && wanted & ~hooked & bit)
			err = register_ftrace_function(&ops[i]);
		if (!err && hooked & ~wanted & bit)
			err = unregister_ftrace_function(&ops[i]);
	}
	hooked = wanted;
	return err;
}

static int hook_each(const unsigned int *states)
{
	int err = 0;

	for (; *states != INSIDE_END && !err; states++)
		err = hook(*states);
	return err;
}

struct outcome {
	bool suspended, right;
};

/* A thread enters the site in the first state; it goes on when the last one is reached. */
static struct outcome change_under(const struct inside_place *place, const unsigned int *states)
{
	struct outcome o = { false, hook(states[0]) == 0 };
	unsigned int last = 0, expected;
	struct suspended s;

	hits[0] = hits[1] = inside_calls = 0;
	s = suspend(place);
	o.right &= hook_each(states + 1) == 0;
	o.suspended = resume(&s);
	while (states[last + 1] != INSIDE_END)
		last++;
	expected = place->before_call ? states[last] : 0;
	o.right &= stander.result == 7 * 5 + 3 && inside_calls == 1 && hits[0] == (expected & 1) &&
		   hits[1] == expected >> 1;
	return o;
}

static void check_change(const struct inside_place *place, const char *what, const unsigned int *states)
{
	struct outcome o;
	unsigned int tries = 0;

	if (!place->when_off && !states[0])
		return;
	do
		o = change_under(place, states);
	while (!o.suspended && ++tries < MOST_TRIES);
	report(o.right && o.suspended, "suspended %s, %s: %lu and %lu calls, result %lu%s", place->name, what,
	       hits[0], hits[1], stander.result, o.suspended ? "" : ", went on too early");
	report(hook(0) == 0, "off again");
}

static const struct {
	const char *name;
	unsigned int states[5];
} changes[] = {
	{ "off -> on", { 0, 1, INSIDE_END } },
	{ "on -> off", { 1, 0, INSIDE_END } },
	{ "call -> call", { 1, 3, INSIDE_END } },
	{ "call -> call back", { 3, 2, INSIDE_END } },
	{ "off -> on -> off", { 0, 1, 0, INSIDE_END } },
	{ "on -> off -> on", { 1, 0, 2, INSIDE_END } },
	{ "on -> off -> on -> off", { 3, 0, 2, 0, INSIDE_END } },
};

static void check_by(const char *method)
{
	if (text_poke_select(method))
		return;
	report_prefix_push(method);
	for (unsigned int i = 0; i < inside_nr_places; i++)
		for (unsigned int k = 0; k < ARRAY_SIZE(changes); k++)
			check_change(&inside_places[i], changes[k].name, changes[k].states);
	report_prefix_pop();
}

DEFINE_TEST(inside_site)
{
	static const char *const methods[] = { "breakpoint", "atomic", "nosync", "stop", "local" };
	u64 hash = text_hash();
	int err = 0;

	if (!site_of_function((unsigned long)inside_tracee)) {
		report_skip("no sites in this flavour");
		return;
	}
	for (unsigned int i = 0; i < 2 && !err; i++)
		err = ftrace_set_filter_ip(&ops[i], (unsigned long)inside_tracee, false, true);
	report(!err, "the function is traceable");
	for (unsigned int i = 0; i < ARRAY_SIZE(methods) && !err; i++)
		check_by(methods[i]);
	for (unsigned int i = 0; i < 2; i++)
		ftrace_free_filter(&ops[i]);
	report(text_poke_select("auto") == 0, "back to the default method");
	report(text_hash() == hash, "text is as it was");
}
