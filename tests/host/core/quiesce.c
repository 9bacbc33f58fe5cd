// SPDX-License-Identifier: MIT
/*
 * quiesce() with scripted contexts: CPUs are threads of this program, what they
 * were interrupted in and which contexts are suspended is set by the test, and
 * each round of quiesce() moves the script on.
 */
#include "fake.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/fgraph_stack.h"
#include "core/leaf.h"
#include "core/quiesce.h"

#define NR_CPUS		4
#define NR_CONTEXTS	80
#define WORDS		16

/* One context, running on a CPU or suspended, with its stack. */
struct context {
	int cpu;			/* -1: suspended, -2: gone */
	bool voluntary;
	unsigned long depth;		/* of interrupts, when it runs; 0: one */
	struct pt_regs regs;
	struct trace_state trace;
	unsigned long stack[WORDS];
	unsigned int live;		/* index of the lowest live word */
};

static struct context contexts[NR_CONTEXTS];

/* Its shadow stack lies in the second page; slots 1 and 2 have frames. */
#define NR_FRAMES	2

static u8 shadows[NR_CONTEXTS][2 * FGRAPH_STACK_BYTES] __aligned(2 * FGRAPH_STACK_BYTES);

static struct fgraph_frame *shadow_slot(const struct context *c, unsigned int i)
{
	return (struct fgraph_frame *)(shadows[c - contexts] + FGRAPH_STACK_BYTES) + i;
}

static unsigned int nr_rounds;
static void (*script)(unsigned int round);	/* after round n */

static unsigned long stack_high(struct context *c)
{
	return (unsigned long)(c->stack + WORDS);
}

static __thread struct context *running;

void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	*low = (unsigned long)running->stack;
	*high = stack_high(running);
}

unsigned int host_nr_online(void)
{
	return NR_CPUS;
}

static struct context *context_on(int cpu)
{
	unsigned int i;

	for (i = 0; i < NR_CONTEXTS; i++) {
		if (contexts[i].cpu == cpu)
			return &contexts[i];
	}
	return NULL;
}

struct ipi {
	void (*fn)(void *arg);
	void *arg;
	int cpu;
};

static void *interrupted_cpu(void *arg)
{
	struct ipi *ipi = arg;

	fake_cpu = ipi->cpu;
	running = context_on(ipi->cpu);
	running->regs.sp = (unsigned long)(running->stack + running->live);
	fake_shadow = running->trace.shadow_sp;
	fake_trace_state.irq_regs = (unsigned long)&running->regs;
	fake_trace_state.context = running->depth ? running->depth : 1;
	ipi->fn(ipi->arg);
	return NULL;
}

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind)
{
	struct ipi ipis[NR_CPUS];
	pthread_t threads[NR_CPUS];
	int cpu;

	check(kind == HOST_ROUND_QUIESCE);
	for (cpu = 1; cpu < NR_CPUS; cpu++) {
		ipis[cpu] = (struct ipi) { fn, arg, cpu };
		check(!pthread_create(&threads[cpu], NULL, interrupted_cpu, &ipis[cpu]));
	}
	fn(arg);
	for (cpu = 1; cpu < NR_CPUS; cpu++)
		pthread_join(threads[cpu], NULL);
	script(++nr_rounds);
}

int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg)
{
	struct host_context ctx;
	unsigned int i;

	for (i = NR_CONTEXTS; i--; ) {
		struct context *c = &contexts[i];

		if (c->cpu != -1)
			continue;
		ctx = (struct host_context) {
			.pc = c->regs.pc, .regs = &c->regs, .trace = &c->trace,
			.stack_low = (unsigned long)(c->stack + c->live),
			.stack_high = stack_high(c), .voluntary = c->voluntary,
		};
		fn(&ctx, arg);
	}
	return 0;
}

void host_relax(void)
{
	sched_yield();
}

/* ---- scripts -------------------------------------------------------------------- */

#define INSIDE	0x5008UL

static void outside(struct context *c)
{
	int cpu = c->cpu;

	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	c->regs.pc = 0x100;
	c->live = 8;
	c->trace.shadow_sp = (unsigned long)shadow_slot(c, NR_FRAMES);
	memset(shadow_slot(c, 0), 0, (NR_FRAMES + 2) * sizeof(struct fgraph_frame));
}

/* Contexts 0 to 3 run on their CPUs, 0 being the caller's; the others are suspended. */
static void reset(void)
{
	int i;

	for (i = 0; i < NR_CONTEXTS; i++) {
		contexts[i].cpu = i < NR_CPUS ? i : -1;
		outside(&contexts[i]);
	}
	nr_rounds = 0;
}

static void swap_cpus(unsigned int a, unsigned int b)
{
	int cpu = contexts[a].cpu;

	contexts[a].cpu = contexts[b].cpu;
	contexts[b].cpu = cpu;
}

static unsigned int rounds_of_quiesce(void (*what)(unsigned int round))
{
	struct address_range ranges[] = {
		{ 0x9000, 0x9100 }, { 0x5000, 0x5010 }, { 0x7000, 0x7001 },
	};

	script = what;
	quiesce(ranges, ARRAY_SIZE(ranges));
	return nr_rounds;
}

static void nothing(unsigned int round)
{
}

static void test_nobody(void)
{
	reset();
	check(rounds_of_quiesce(nothing) == 1);
	fake_smp = false;
	check(rounds_of_quiesce(nothing) == 1);	/* no further one */
	fake_smp = true;
	quiesce(NULL, 0);
	check(nr_rounds == 1);
}

/* What CPUs may still run from a stale copy: a round and a touch, before anybody is looked for. */
static void test_unsettled(void)
{
	reset();
	fake_unsettled = true;
	check(rounds_of_quiesce(nothing) == 2 && !fake_unsettled);
	check(rounds_of_quiesce(nothing) == 3);
}

static void test_borders(void)
{
	static const unsigned long out[] = { 0x4fff, 0x5010, 0x6fff, 0x7001, 0x8fff, 0x9100, 0, ~0ul };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(out); i++) {
		reset();
		contexts[2].regs.pc = out[i];
		contexts[5].regs.pc = out[i];
		check(rounds_of_quiesce(nothing) == 1);
	}
}

static unsigned long *place;	/* holds an address inside until round 3 is over */

static void leave_after_3(unsigned int round)
{
	if (round == 3)
		*place = 0;
}

/* Every place of a running and of a suspended context counts, for every range. */
static void test_places(void)
{
	static const unsigned long in[] = { 0x5001, 0x500f, 0x9001, 0x90ff };
	unsigned int who, i, word;

	for (who = 1; who < 8; who += 3) {
		for (i = 0; i < ARRAY_SIZE(in); i++) {
			unsigned long *places[] = {
				&contexts[who].regs.pc, &contexts[who].regs.r[3], &contexts[who].stack[8],
				&contexts[who].stack[WORDS - 1], &shadow_slot(&contexts[who], 1)->ret,
				&shadow_slot(&contexts[who], NR_FRAMES)->ret,
			};

			for (word = 0; word < ARRAY_SIZE(places); word++) {
				reset();
				place = places[word];
				*place = in[i];
				check(rounds_of_quiesce(leave_after_3) == 4);
			}
		}
	}
}

/* Where a range is called: a pc may stand there, but as data it is a note of where a site leads. */
static void test_entries(void)
{
	static const unsigned long starts[] = { 0x5000, 0x7000, 0x9000 };
	unsigned int who, i;

	for (who = 1; who < 8; who += 3) {
		for (i = 0; i < ARRAY_SIZE(starts); i++) {
			reset();
			place = &contexts[who].regs.pc;
			*place = starts[i];
			check(rounds_of_quiesce(leave_after_3) == 4);
			reset();
			contexts[who].regs.r[3] = contexts[who].stack[9] = starts[i];
			shadow_slot(&contexts[who], 1)->ret = starts[i];
			check(rounds_of_quiesce(nothing) == 1);
		}
	}
	/* In an interrupt of an interrupt the word may be the pc of the outer one. */
	reset();
	contexts[1].depth = 2;
	place = &contexts[1].stack[12];
	*place = 0x5000;
	check(rounds_of_quiesce(leave_after_3) == 4);
}

/* Of a host that has no use for a shadow pointer before a graph user comes. */
static void test_no_shadow(void)
{
	reset();
	contexts[1].trace.shadow_sp = contexts[6].trace.shadow_sp = 0xdead0800 | FGRAPH_STACK_BIT;
	check(rounds_of_quiesce(nothing) == 1);
	check(!fgraph_stacks_make());
}

#define NR_LEAVES	5

static struct ftrace_ops leaf[NR_LEAVES];

static void add_leaf(unsigned int i)
{
	leaf[i] = (struct ftrace_ops){ .func = (ftrace_func_t)fake_ip(i), .flags = FTRACE_OPS_FL_LEAF };
	check(!leaf_start(&leaf[i]));
	ftrace_ops_list->ops[ftrace_ops_list->nr++] = &leaf[i];
}

static bool is_waited_for(unsigned long addr)
{
	reset();
	contexts[6].regs.r[3] = contexts[7].stack[9] = addr;	/* has been there */
	place = &contexts[5].regs.pc;
	*place = addr;
	return rounds_of_quiesce(leave_after_3) == 4;
}

static void check_leaves(unsigned int nr)
{
	for (unsigned int i = 0; i < NR_LEAVES; i++)
		check(is_waited_for(fake_ip(i) + 4) == (i < nr));
	check(is_waited_for((unsigned long)arch_leaf_return + 4) == (nr > 0));
}

/* Who is in a leaf may have return addresses anywhere. */
static void test_leaves(void)
{
	unsigned int objects = fake_objects;

	ftrace_ops_list = calloc(1, sizeof(*ftrace_ops_list) + NR_LEAVES * sizeof(leaf[0]));
	fake_sites(NR_LEAVES, NULL);
	check_leaves(0);
	fake_fail_after = 0;
	check(leaf_start(&(struct ftrace_ops){ .func = (ftrace_func_t)fake_ip(0), .flags = FTRACE_OPS_FL_LEAF }) ==
	      -ENOMEM);
	fake_fail_after = -1;
	check_leaves(0);
	for (unsigned int i = 0; i < NR_LEAVES; i++) {
		add_leaf(i);
		check_leaves(i + 1);
	}
	while (ftrace_ops_list->nr) {
		leaf_stop(&leaf[--ftrace_ops_list->nr]);
		check_leaves(ftrace_ops_list->nr);
	}
	check(fake_objects == objects);
	free(ftrace_ops_list);
	ftrace_ops_list = NULL;
}

static void test_not_inside(void)
{
	reset();
	contexts[0].regs.pc = contexts[0].stack[10] = INSIDE;	/* the caller's own */
	contexts[1].stack[7] = INSIDE;				/* below sp: dead */
	contexts[6].stack[7] = INSIDE;
	contexts[1].regs.r[0] = INSIDE; /* no return address */
	contexts[6].regs.r[2] = INSIDE;
	shadow_slot(&contexts[1], NR_FRAMES + 1)->ret = INSIDE;
	shadow_slot(&contexts[6], NR_FRAMES + 1)->ret = INSIDE;
	shadow_slot(&contexts[6], 0)->ret = INSIDE;
	contexts[7].regs.pc = contexts[7].stack[9] = INSIDE;
	contexts[7].voluntary = true;
	check(rounds_of_quiesce(nothing) == 1);
}

/* Running in odd rounds, suspended in even ones: never missed, wherever it is looked for. */
static void move_and_leave(unsigned int round)
{
	swap_cpus(1, 9);
	if (round == 6)
		contexts[9].regs.pc = 0x100;
}

static void test_mover(void)
{
	reset();
	contexts[9].regs.pc = INSIDE;
	check(rounds_of_quiesce(move_and_leave) == 7);
}

/* Two contexts enter and leave a walker that stays, never both outside. */
static void take_turns(unsigned int round)
{
	contexts[1].regs.pc = round % 2 ? 0x100 : INSIDE;
	contexts[2].regs.pc = round % 2 ? INSIDE : 0x100;
	check(round < 10);
}

static void test_busy_walker(void)
{
	reset();
	contexts[1].regs.pc = INSIDE;
	check(rounds_of_quiesce(take_turns) == 2);
	reset();
	contexts[1].regs.pc = contexts[2].regs.pc = INSIDE;
	check(rounds_of_quiesce(take_turns) == 3);
}

/* More than one pass is about. */
static void leave_one_by_one(unsigned int round)
{
	if (NR_CPUS + round <= NR_CONTEXTS)
		contexts[NR_CPUS + round - 1].regs.pc = 0x100;
}

static void test_many(void)
{
	unsigned int i;

	reset();
	for (i = NR_CPUS; i < NR_CONTEXTS; i++)
		contexts[i].regs.pc = INSIDE;
	check(rounds_of_quiesce(leave_one_by_one) == NR_CONTEXTS - NR_CPUS + 1);
}

/* Each is outside in one picture of ten, and never all of them. */
static void be_outside_by_turns(unsigned int round)
{
	for (unsigned int i = NR_CPUS; i < NR_CONTEXTS; i++)
		contexts[i].regs.pc = i % 10 == round % 10 ? 0x100 : INSIDE;
	check(round < 50);
}

static void test_many_busy(void)
{
	reset();
	be_outside_by_turns(10);
	/* Two passes, the second one for few: each ends with the last of them, after 10 rounds. */
	check(rounds_of_quiesce(be_outside_by_turns) <= 21);
}

/* As many come in as one pass is about, below one that stays. */
static void come_in_below(unsigned int round)
{
	for (unsigned int i = 1; i < NR_CONTEXTS - 1; i++)
		contexts[i].regs.pc = INSIDE;
	if (round == 6)
		contexts[NR_CONTEXTS - 1].regs.pc = 0x100;
}

static void test_many_newcomers(void)
{
	reset();
	contexts[NR_CONTEXTS - 1].regs.pc = INSIDE;
	check(rounds_of_quiesce(come_in_below) == 7);
}

static void test_stats(void)
{
	struct quiesce_stats before, after;

	quiesce_stats(&before);
	reset();
	place = &contexts[1].regs.pc;
	*place = INSIDE;
	rounds_of_quiesce(leave_after_3);
	quiesce_stats(&after);
	check(after.calls == before.calls + 1 && after.rounds == before.rounds + 4);
	check(after.retries == before.retries + 3);
	check(after.most_rounds == NR_CONTEXTS - NR_CPUS + 1);
	check(after.longest > 0 && after.longest >= before.longest);
}

int main(void)
{
	fake_smp = true;
	test_no_shadow();
	test_nobody();
	test_unsettled();
	test_borders();
	test_places();
	test_entries();
	test_leaves();
	test_not_inside();
	test_mover();
	test_busy_walker();
	test_many();
	test_many_busy();
	test_many_newcomers();
	test_stats();
	return check_summary();
}
