// SPDX-License-Identifier: MIT
/*
 * The function graph's frames at random against a model of a thread: calls, tail
 * calls, returns, jumps out of any number of functions, with several users that
 * refuse what they like; and interrupts wherever the shadow pointer moves, which do
 * the same. Every entry that was answered has its return, last in, first out, with the
 * function's result, or is counted; each function returns to its true caller.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/baretrace.h"
#include "core/fgraph_users.h"
#include "patch/code_pool.h"

static struct trace_state main_state;

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { return 0; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

#define NR_FUNCTIONS	20
#define ALONE		15	/* from here on one user has the functions alone */
#define NR_USERS	4
#define MAX_CALLS	400
#define MAX_NESTED	3
#define STACK_TOP	0x100000UL
#define FRAME		sizeof(struct fgraph_frame)
#define STEPS		1000000UL
#define STRETCH		50000UL		/* of steps, before all return */
#define FORGOTTEN	(1ul << 63)	/* in the model's frames of several: left, nobody is to be told */

struct user {
	struct fgraph_ops graph;
	unsigned int nr_open;			/* entries answered, to be returned */
	unsigned long open[MAX_CALLS];		/* their functions */
	bool wants;
};
static struct user users[NR_USERS];
static unsigned long expected_abandoned, result;

static int on_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct user *u = container_of(gops, struct user, graph);

	if (!u->wants)
		return 0;
	u->open[u->nr_open++] = ent->func;
	return 1;
}

static void on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct user *u = container_of(gops, struct user, graph);

	check(u->nr_open > 0 && u->open[u->nr_open - 1] == ret->func);
	check(ret->retval == result || ret->retval == 0);	/* 0: closed early */
	if (u->nr_open)
		u->nr_open--;
}

/* ---- the modelled thread ------------------------------------------------------ */

/* One word of stack a call: its return address, true (its number) or planted. */
static unsigned long stack[MAX_CALLS + MAX_NESTED];
static unsigned int depth;

static unsigned long sp_of(unsigned int level)
{
	return STACK_TOP - level * 64;
}

/* What an interrupt found: its place in a return path, and its frames, which end here. */
static struct pt_regs *here;
static unsigned int nested;
static struct code_block *entry_code;	/* of what one user has alone */
static unsigned long lowest_frame;

static void enter_shared(unsigned int function)
{
	struct ftrace_regs fregs = { .sp = sp_of(depth - 1), .parent = stack[depth - 1] };

	for (unsigned int i = 0; i < NR_USERS; i++)
		fgraph_enter(fake_ip(function), fregs.parent, &users[i].graph.ops, &fregs);
	stack[depth - 1] = fregs.parent;
}

/* The context stands somewhere, and may be interrupted there. */
static void stand_at(struct pt_regs *regs)
{
	struct pt_regs *outer = here;

	here = regs;
	if (fake_interrupt)
		fake_interrupt();
	here = outer;
}

/* As the generated code does: the frame is taken, then written. */
static void enter_alone(struct fgraph_ops *gops, unsigned int function)
{
	struct ftrace_regs fregs = { .sp = sp_of(depth - 1), .parent = stack[depth - 1] };
	unsigned long shadow = arch_shadow_sp() + FRAME;
	struct fgraph_frame *frame = fgraph_frame_at(shadow);
	struct pt_regs write = { .pc = entry_code->start + entry_code->frame.graph_write, .sp = fregs.sp };

	fake_shadow = shadow;
	stand_at(&write);
	if (!fgraph_has_frame(shadow)) {
		arch_set_shadow_sp(shadow - FRAME);
		fgraph_enter(fake_ip(function), fregs.parent, &gops->ops, &fregs);
		stack[depth - 1] = fregs.parent;
		return;
	}
	frame->graph.func = fake_ip(function);
	frame->ret = fregs.parent;
	frame->sp = fregs.sp;
	frame->gops = (unsigned long)gops;
	if (on_entry((struct ftrace_graph_ent *)&frame->graph, gops, &fregs))
		stack[depth - 1] = fgraph_users[gops->index].stub->start;
	else
		arch_set_shadow_sp(shadow - FRAME);
}

static void enter(unsigned int function)
{
	if (function < ALONE)
		enter_shared(function);
	else
		enter_alone(&users[0].graph, function);
}

static void do_call(unsigned int function)
{
	stack[depth] = 0x8000 + depth;
	depth++;
	enter(function);
}

/* The frame goes down, and then the way back is read from it: an interrupt in between reads it for us. */
static unsigned long frame_down(unsigned long shadow)
{
	unsigned long last = fgraph_users[users[1].graph.index].stub->start + 1;
	struct pt_regs jump = { .pc = last, .r = { (unsigned long)fgraph_frame_at(shadow) } };

	fake_shadow = shadow - FRAME;
	stand_at(&jump);
	return jump.pc == last ? fgraph_frame_at(shadow)->ret : jump.pc;
}

/* As the return paths do until a true address comes. */
static void do_return(void)
{
	unsigned long to = stack[--depth];
	struct fgraph_frame *frame;

	while (fgraph_is_planted(to)) {
		result = (unsigned long)rand() | 1;
		frame = fgraph_frame_at(arch_shadow_sp());
		frame->graph.retval = result;
		if (to == (unsigned long)return_to_handler)
			fgraph_return(sp_of(depth));
		else if (fgraph_users[users[0].graph.index].gops)
			on_return(&frame->graph, &users[0].graph);
		check(fgraph_frame_at(arch_shadow_sp())->graph.retval == result);
		to = frame_down(arch_shadow_sp());
	}
	check(to == 0x8000 + depth);
}

/* What is left behind: users forget it, as nobody will tell them. */
static void forget(unsigned long sp)
{
	unsigned long shadow = arch_shadow_sp();
	struct fgraph_frame *frame;

	for (; shadow != lowest_frame; shadow -= FRAME) {
		frame = fgraph_frame_at(shadow);
		if (fgraph_frame_sp(frame) > sp)
			return;
		if (fgraph_frame_is_shared(frame) && frame->users & FORGOTTEN)
			continue;
		expected_abandoned++;
		for (unsigned int i = NR_USERS; i--; )
			if (fgraph_frame_is_of(frame, users[i].graph.index, (unsigned long)&users[i].graph))
				users[i].nr_open--;
		if (fgraph_frame_is_shared(frame))
			frame->users |= FORGOTTEN;
	}
}

/* As seen from the function that goes on: what it called had its stack pointer at that. */
static void do_jump_out(unsigned int levels, bool told)
{
	forget(sp_of(depth - levels));
	if (told)
		check(fgraph_unwind_to(sp_of(depth - levels)) <= MAX_CALLS);
	depth -= levels;
}

/*
 * In every other stretch all jumps are told. In the others no user has functions alone:
 * such frames are not found to be left behind by themselves.
 */
static bool is_told(unsigned long n)
{
	return n / STRETCH % 2;
}

/* Now and then calls prevail, so that the shadow stack fills, or tail calls go on and on. */
static void step(unsigned long n, unsigned int lowest)
{
	static const struct { unsigned int calls, tails; } of_64[] = { { 45, 5 }, { 20, 5 }, { 10, 45 }, { 15, 15 } };
	unsigned int calls = of_64[n / 500 % 4].calls, tails = of_64[n / 500 % 4].tails, what = rand() % 64;
	unsigned int functions = is_told(n) ? NR_FUNCTIONS : ALONE;

	for (unsigned int i = 0; i < NR_USERS; i++)
		users[i].wants = rand() % 3;
	if (what < calls && depth < MAX_CALLS - 1)
		do_call(rand() % functions);
	else if (what < calls + tails && depth > lowest)
		enter(rand() % functions);	/* a tail call: the same word of stack */
	else if (what < 63 && depth > lowest)
		do_return();
	else if (depth > lowest)
		do_jump_out(rand() % (depth - lowest) / 8 + 1, is_told(n) || nested || rand() % 2);
}

/* ---- interrupts --------------------------------------------------------------- */

static unsigned long now;

/* In the end by returns; or all at once, by who names a stack pointer that is above ours. */
static void call_some(bool all_at_once)
{
	unsigned int lowest = depth;
	unsigned long frame_before = lowest_frame;

	lowest_frame = arch_shadow_sp();
	for (unsigned int i = rand() % 8; i; i--)
		step(now, lowest);
	if (!all_at_once) {
		while (depth > lowest)
			do_return();
	} else {
		forget(sp_of(lowest));
		fgraph_unwind_to(STACK_TOP + 64);
		depth = lowest;
	}
	check(arch_shadow_sp() == lowest_frame);
	lowest_frame = frame_before;
}

static void interrupt(void)
{
	struct pt_regs none = { .pc = 0 }, *found = here;
	unsigned long result_before = result;
	struct baretrace_irq save;

	if (nested == MAX_NESTED || rand() % 16)
		return;
	nested++;
	depth++;		/* its registers */
	here = NULL;
	interrupt();		/* an NMI in the entry code, where nothing is put aside yet */
	baretrace_irq_enter(found ? found : &none, &save);
	call_some(rand() % 4 == 0);
	baretrace_irq_exit(&save);
	/* The scheduler, which acts for the thread: it may drop what that has left behind. */
	if (nested == 1 && !fake_irqs_off && is_told(now))
		call_some(false);
	here = found;
	result = result_before;
	depth--;
	nested--;
}

static void random_steps(unsigned long bottom)
{
	fake_interrupt = interrupt;
	for (now = 0; now < STEPS; now++) {
		step(now, 0);
		if ((now + 1) % STRETCH)
			continue;
		while (depth)
			do_return();
		fgraph_unwind_to(STACK_TOP + 64);
		check(arch_shadow_sp() == bottom);
	}
	fake_interrupt = NULL;
}

/* ---- leaving ------------------------------------------------------------------ */

static bool stub_calls(const struct user *u)
{
	const struct code_block *stub = fgraph_users[u->graph.index].stub;
	const u8 *code = (const u8 *)stub->start;

	check(code[0] == FAKE_CALL);
	return code[ARCH_INSN_BYTES] == FAKE_CALL;
}

static void check_still_there(struct user *u)
{
	check(stub_calls(u) && register_ftrace_graph(&u->graph) == -EBUSY);
	do_return();
	check(u->nr_open == 0);
}

static void check_gone(struct user *u)
{
	check(!stub_calls(u));
	do_return();
	check(u->nr_open == 1);		/* nobody was told */
	u->nr_open = 0;
	check(!register_ftrace_graph(&u->graph));
}

/*
 * Unregistering fails at its first step, at its second ...: each time the user sees what
 * it saw before. (What a full code pool does is no failure.)
 */
static void test_unregister_fails(void)
{
	struct user *u = &users[0];
	unsigned int failures = 0;
	int err;

	for (int at = 0; ; at++) {
		u->wants = true;
		do_call(1);
		check(u->nr_open == 1);
		fake_failed = false;
		fake_fail_after = at;
		err = unregister_ftrace_graph(&u->graph);
		fake_fail_after = -1;
		failures += !!err;
		if (err)
			check_still_there(u);
		else
			check_gone(u);
		if (!fake_failed)
			break;
	}
	/* The batch begun; each site's change and the stub's queued; committed; and memory. */
	check(failures > 1 + NR_FUNCTIONS + 1 + 1);
}

int main(void)
{
	struct fgraph_stats stats;
	unsigned long bottom;

	fake_sites(NR_FUNCTIONS, NULL);
	check(ftrace_init() == 0);
	for (unsigned int i = 0; i < NR_USERS; i++) {
		users[i].graph.entryfunc = on_entry;
		users[i].graph.retfunc = on_return;
		check(!register_ftrace_graph(&users[i].graph));
	}
	bottom = arch_shadow_sp();
	check(bottom && bottom == fgraph_bottom(bottom));
	lowest_frame = bottom;
	entry_code = code_pool_alloc(16, "entry");
	entry_code->frame = (struct trampoline_frame){ .graph_write = 4, .graph_commit = 8 };
	test_unregister_fails();
	srand(1);
	random_steps(bottom);
	for (unsigned int i = 0; i < NR_USERS; i++) {
		check(users[i].nr_open == 0);
		check(!unregister_ftrace_graph(&users[i].graph));
	}
	fgraph_stats(&stats);
	check(stats.abandoned == expected_abandoned);
	check(stats.overflow && stats.closed_early);
	check(!stats.users && !stats.leaving);
	printf("%lu overflows, %lu closed early, %lu left behind\n", stats.overflow, stats.closed_early,
	       stats.abandoned);
	main_state.shadow_sp = arch_shadow_sp();
	fgraph_thread_free(&main_state);
	fgraph_stats(&stats);
	check(!stats.stacks);
	code_pool_free(entry_code);
	return check_summary();
}
