// SPDX-License-Identifier: MIT
/*
 * quiesce() under a deterministic scheduler: two CPUs, the caller's and one on which
 * two threads take turns by preemption, so that one of them is always suspended.
 * Every order of a bounded number of steps is played: a thread steps, the CPU changes
 * threads, or the caller goes on.
 *
 *	thread	reads the site; if it is on: enters the op, touches its object twice, leaves
 *	caller	switches the site off, quiesce(), frees the object
 *
 * While the caller looks, its own CPU stands, and the other one as long as it is in its
 * interrupt: before and behind that its threads go on.
 *
 * Nobody may touch the object once it is free. A scheduler that hides the suspended
 * thread, or the running one, must be caught at it.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/host.h"
#include "core/quiesce.h"

#define INSIDE		0x5000UL
#define OUTSIDE		0x100UL
#define STEPS		11	/* of a play; then all run on by turns */
#define STACK_WORDS	4

enum action { STEP, SWITCH, CALLER_GOES_ON, NR_ACTIONS };

struct thread {
	unsigned int at;	/* 0 outside; 1, 2 about to touch; 3 about to leave */
	struct pt_regs regs;
	unsigned long stack[STACK_WORDS];
};

static struct thread threads[2];
static unsigned int running;		/* on the other CPU */
static bool site_on, is_freed;
static bool hide_suspended, hide_running;	/* what a wrong quiesce() would not see */
static unsigned long nr_late_touches;

static u8 play[STEPS];
static unsigned int next_step;

/* ---- threads and their CPU --------------------------------------------------------- */

static void step(struct thread *t)
{
	if (t->at == 0 && site_on)
		t->at = 1;
	else if (t->at == 1 || t->at == 2)
		nr_late_touches += is_freed, t->at++;
	else if (t->at == 3)
		t->at = 0;
	t->regs.pc = t->at ? INSIDE : OUTSIDE;
}

/* Until the play lets the caller go on; beyond its end each thread gets a step in turn. */
static void others_move(void)
{
	while (next_step < STEPS && play[next_step] != CALLER_GOES_ON) {
		if (play[next_step++] == STEP)
			step(&threads[running]);
		else
			running ^= 1;
	}
	if (next_step < STEPS) {
		next_step++;
		return;
	}
	step(&threads[running]);
	running ^= 1;
}

/* ---- the host: two CPUs as coroutines ------------------------------------------------- */

static ucontext_t cpus[2], all_done;
static unsigned int cpu;
static bool is_done[2];
static char stacks[2][64 * 1024];
static void (*function)(void *arg);
static void *argument;

static unsigned long irq_regs_of(unsigned int who)
{
	return who ? (unsigned long)&threads[running].regs : 0;
}

static void go_to(unsigned int who)
{
	unsigned int from = cpu;

	cpu = who;
	fake_trace_state.irq_regs = irq_regs_of(who);
	swapcontext(&cpus[from], &cpus[who]);
}

/* arch_relax(): who waits lets the other one run. */
int sched_yield(void)
{
	if (!is_done[cpu ^ 1])
		go_to(cpu ^ 1);
	return 0;
}

/* Until its interrupt comes, a CPU runs its threads. */
static void run_cpu(void)
{
	if (cpu) {
		others_move();
		fake_trace_state.irq_regs = irq_regs_of(cpu);
	}
	function(argument);
	is_done[cpu] = true;
	if (is_done[cpu ^ 1])
		setcontext(&all_done);
	cpu ^= 1;
	fake_trace_state.irq_regs = irq_regs_of(cpu);
	setcontext(&cpus[cpu]);
}

static void start_cpu(unsigned int who)
{
	is_done[who] = false;
	getcontext(&cpus[who]);
	cpus[who].uc_stack = (stack_t){ .ss_sp = stacks[who], .ss_size = sizeof(stacks[who]) };
	makecontext(&cpus[who], run_cpu, 0);
}

/* The CPUs begin in one order and in the other, by turns. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind)
{
	static unsigned int first;

	function = fn;
	argument = arg;
	start_cpu(0);
	start_cpu(1);
	first ^= 1;
	cpu = first;
	fake_trace_state.irq_regs = irq_regs_of(cpu);
	swapcontext(&all_done, &cpus[cpu]);
	fake_trace_state.irq_regs = 0;
}

unsigned int host_nr_online(void)
{
	return 2;
}

void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	*low = (unsigned long)threads[running].stack;
	*high = *low + sizeof(threads[running].stack);
}

int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg)
{
	const struct thread *t;
	struct host_context ctx;

	if (is_done[1])		/* back from its interrupt: nothing holds it */
		others_move();
	t = &threads[running ^ 1];
	ctx = (struct host_context){
		.pc = t->regs.pc,
		.stack_low = (unsigned long)t->stack,
		.stack_high = (unsigned long)(t->stack + STACK_WORDS),
	};
	return hide_suspended ? 0 : fn(&ctx, arg);
}

/* Between two rounds. */
void host_relax(void)
{
	others_move();
}

/* ---- plays ----------------------------------------------------------------------------- */

static void reset(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		threads[i] = (struct thread){ .regs = { .pc = OUTSIDE } };
		threads[i].regs.sp = (unsigned long)(threads[i].stack + STACK_WORDS - 1);
	}
	running = next_step = 0;
	site_on = true;
	is_freed = false;
}

static void perform(void)
{
	struct address_range range = { INSIDE, INSIDE + 16 };

	reset();
	others_move();
	site_on = false;
	others_move();
	if (hide_running)
		range = (struct address_range){ INSIDE + 32, INSIDE + 48 };
	quiesce(&range, 1);
	is_freed = true;
	do
		others_move();
	while (next_step < STEPS || threads[0].at || threads[1].at);
}

/* The play after this one, in order of numbers. Return: false after the last. */
static bool next_play(void)
{
	for (unsigned int i = 0; i < STEPS; i++) {
		if (++play[i] < NR_ACTIONS)
			return true;
		play[i] = 0;
	}
	return false;
}

/* Return: plays. */
static unsigned long perform_all(void)
{
	unsigned long n = 0;

	nr_late_touches = 0;
	do {
		perform();
		n++;
	} while (next_play());
	return n;
}

int main(void)
{
	struct quiesce_stats stats;
	unsigned long n;

	fake_smp = true;
	n = perform_all();
	quiesce_stats(&stats);
	printf("%lu plays, %lu rounds, at most %lu for one\n", n, stats.rounds, stats.most_rounds);
	check(n == 177147 && !nr_late_touches);
	check(stats.calls == n && stats.retries && stats.most_rounds >= 3);
	hide_suspended = true;
	perform_all();
	check(nr_late_touches);
	hide_suspended = false;
	hide_running = true;
	perform_all();
	check(nr_late_touches);
	return check_summary();
}
