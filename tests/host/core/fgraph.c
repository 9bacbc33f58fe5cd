// SPDX-License-Identifier: MIT
/*
 * The function graph's frames at random against a model of a thread: calls, tail
 * calls, returns, jumps out of any number of functions, with several users that
 * refuse what they like. Every entry that was answered has its return, last in,
 * first out, or is counted; each function returns to its true caller.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/fgraph_users.h"
#include "patch/code_pool.h"

static struct trace_state main_state;

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { fn(arg); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { return 0; }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

#define NR_FUNCTIONS	20
#define NR_USERS	4
#define MAX_CALLS	400
#define STACK_TOP	0x100000UL

struct user {
	struct fgraph_ops graph;
	unsigned int nr_open;			/* entries answered, to be returned */
	unsigned long open[MAX_CALLS];		/* their functions */
	bool wants;
};
static struct user users[NR_USERS];
static unsigned long expected_abandoned;

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
	if (u->nr_open)
		u->nr_open--;
}

/* ---- the modelled thread ------------------------------------------------------ */

/* One word of stack a call: its return address, true (its number) or planted. */
static unsigned long stack[MAX_CALLS];
static unsigned int depth;

static unsigned long sp_of(unsigned int level)
{
	return STACK_TOP - level * 64;
}

static void enter(unsigned int function)
{
	struct ftrace_regs fregs = { .sp = sp_of(depth - 1), .parent = stack[depth - 1] };

	for (unsigned int i = 0; i < NR_USERS; i++)
		fgraph_enter(fake_ip(function), fregs.parent, &users[i].graph.ops, &fregs);
	stack[depth - 1] = fregs.parent;
}

static void do_call(unsigned int function)
{
	stack[depth] = 0x8000 + depth;
	depth++;
	enter(function);
}

/* As the return paths do until a true address comes. */
static void do_return(void)
{
	unsigned long to = stack[--depth], shadow;

	while (fgraph_is_planted(to)) {
		fgraph_return(sp_of(depth));
		shadow = arch_shadow_sp();
		to = fgraph_frame_at(shadow)->ret;
		arch_set_shadow_sp(shadow - sizeof(struct fgraph_frame));
	}
	check(to == 0x8000 + depth);
}

/* What is left behind: users forget it, as nobody will tell them. */
static void forget(unsigned long sp)
{
	unsigned long shadow = arch_shadow_sp();
	const struct fgraph_frame *frame;

	for (; shadow != fgraph_bottom(shadow); shadow -= sizeof(*frame)) {
		frame = fgraph_frame_at(shadow);
		if (fgraph_frame_sp(frame) > sp)
			return;
		expected_abandoned++;
		for (unsigned int i = NR_USERS; i--; )
			if (frame->users & 1ul << users[i].graph.index)
				users[i].nr_open--;
	}
}

static void do_jump_out(unsigned int levels)
{
	depth -= levels;
	/* As seen from the function that goes on: what it called had its stack pointer at that. */
	forget(sp_of(depth));
	check(fgraph_unwind_to(sp_of(depth)) <= MAX_CALLS);
}

/* In some stretches calls prevail and tail calls go on and on, so that the shadow stack fills. */
static void step(unsigned long n)
{
	unsigned int what = rand() % 64, calls = n / 1000 % 3 ? 20 : 45, tails = n / 3000 % 2 ? 5 : 15;

	for (unsigned int i = 0; i < NR_USERS; i++)
		users[i].wants = rand() % 3;
	if (what < calls && depth < MAX_CALLS - 1)
		do_call(rand() % NR_FUNCTIONS);
	else if (what < calls + tails && depth)
		enter(rand() % NR_FUNCTIONS);	/* a tail call: the same word of stack */
	else if (what < 63 && depth)
		do_return();
	else if (depth)
		do_jump_out(rand() % depth / 8 + 1);
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
	test_unregister_fails();
	srand(1);
	for (unsigned long n = 0; n < 400000; n++)
		step(n);
	while (depth)
		do_return();
	check(arch_shadow_sp() == bottom);
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
	return check_summary();
}
