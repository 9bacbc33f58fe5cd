// SPDX-License-Identifier: MIT
/*
 * The function graph in single steps: an interrupt before each instruction of a call and
 * its return, an NMI in that one's entry code, and the scheduler behind it; what they run
 * is hooked too. And so where the shadow stack has room for one call more.
 */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"
#include "tests/guest/x86_64/step.h"

#include <setjmp.h>

#include "base/host.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "core/quiesce.h"
#include "patch/site.h"

#define FRAME	sizeof(struct fgraph_frame)
#define LOW	0x1000UL	/* a stack pointer below all others */

static struct step_user {
	struct fgraph_ops graph;
	unsigned long entries, returns, own_entries, own_returns, value;
} users[2];

static unsigned long own_ip, nr_steps, wrong;
static struct address_range enter;

static notrace int step_on_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct step_user *u = container_of(gops, struct step_user, graph);

	u->entries++;
	u->own_entries += ent->func == own_ip;
	return 1;
}

static notrace void step_on_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct step_user *u = container_of(gops, struct step_user, graph);

	u->returns++;
	if (ret->func == own_ip) {
		u->own_returns++;
		u->value = ret->retval;
	}
}

static notrace void interrupted_at(struct pt_regs *regs)
{
	struct baretrace_irq save;

	baretrace_irq_enter(regs, &save);
	wrong += fg_a(10) != 13;
	wrong += fgraph_unwind_to(-LOW) != 0;
	baretrace_irq_exit(&save);
}

static notrace void interrupt_step(const struct pt_regs *regs)
{
	struct pt_regs entry = *regs;

	nr_steps++;
	regs_set_pc(&entry, (unsigned long)step_entry);
	interrupted_at(&entry);
	/* It may move the context out of a window. */
	interrupted_at((struct pt_regs *)regs);
	/* There interrupts are off where it matters; elsewhere the scheduler may come. */
	if (regs->ip < enter.start || regs->ip >= enter.end)
		wrong += fg_a(10) != 13;
}

static void step_start(unsigned int nr, const char *own)
{
	for (unsigned int i = 0; i < nr; i++) {
		users[i] = (struct step_user){ .graph.entryfunc = step_on_entry, .graph.retfunc = step_on_return };
		if (ftrace_set_filter(&users[i].graph.ops, "fg_[abc]", true) != 3 ||
		    ftrace_set_filter(&users[i].graph.ops, own, false) != 1 || register_ftrace_graph(&users[i].graph))
			report(false, "user %u", i);
	}
	nr_steps = wrong = 0;
}

static void step_end(unsigned int nr, unsigned long value)
{
	report(nr_steps > 50 && !wrong, "%lu steps, %lu wrong calls in interrupts", nr_steps, wrong);
	for (unsigned int i = 0; i < nr; i++) {
		struct step_user *u = &users[i];

		report(!unregister_ftrace_graph(&u->graph), "user %u leaves", i);
		ftrace_free_filter(&u->graph.ops);
		report(u->own_entries == 1 && u->own_returns == 1 && u->value == value,
		       "its %lu entries, %lu returns, result %lu", u->own_entries, u->own_returns, u->value);
	}
}

/* ---- room for one more --------------------------------------------------------------------- */

static unsigned long leaf_result;

static notrace unsigned long step_leaf(unsigned long a, unsigned long b)
{
	leaf_result = fg_leaf(a);
	return 0;
}

static void leaf_with(unsigned int nr)
{
	unsigned long before, almost, found;

	own_ip = site_of_function((unsigned long)fg_leaf)->ip;
	step_start(nr, "fg_leaf");
	before = arch_shadow_sp();
	almost = fgraph_bottom(before) + (FGRAPH_DEPTH - 1) * FRAME;
	fgraph_frame_fill(fgraph_frame_at(almost), 0, 0, -LOW);
	fgraph_frame_fill(fgraph_frame_at(almost + FRAME), 0, 0, LOW);
	arch_set_shadow_sp(almost);
	step_through(step_leaf, 1, interrupt_step);
	found = arch_shadow_sp();
	arch_set_shadow_sp(before);
	report(leaf_result == 8 && found == almost, "result %lu, pointer %lx of %lx", leaf_result, found, almost);
	for (unsigned int i = 0; i < nr; i++)
		report(users[i].entries == users[i].returns && users[i].entries > nr_steps / 4,
		       "%lu entries, %lu returns", users[i].entries, users[i].returns);
	step_end(nr, 8);
}

/* ---- frames left behind ----------------------------------------------------------------------- */

static jmp_buf out;
static unsigned long back_result;

__noreturn void __real_longjmp(jmp_buf env, int value);

static notrace void step_leave(void)
{
	__real_longjmp(out, 1);
}

static __attribute__((noipa)) unsigned long step_out_of_three(unsigned long x)
{
	fg_hook = step_leave;
	if (!setjmp(out))
		fg_a(x);
	fg_hook = NULL;
	barrier();
	return x + 11;
}

/* Interrupts have calls of the same functions: without the hook. */
static notrace void interrupt_step_unhooked(const struct pt_regs *regs)
{
	void (*hook)(void) = fg_hook;

	fg_hook = NULL;
	interrupt_step(regs);
	fg_hook = hook;
}

static notrace unsigned long step_out(unsigned long a, unsigned long b)
{
	back_result = step_out_of_three(a);
	return 0;
}

static void out_with(unsigned int nr)
{
	unsigned long before;

	own_ip = site_of_function((unsigned long)step_out_of_three)->ip;
	step_start(nr, "step_out_of_three");
	before = arch_shadow_sp();
	step_through(step_out, 1, interrupt_step_unhooked);
	report(back_result == 12 && arch_shadow_sp() == before, "result %lu", back_result);
	step_end(nr, 12);
}

DEFINE_TEST(x86_fgraph_steps)
{
	if (!address_range_of((unsigned long)fgraph_enter, &enter))
		report(false, "fgraph_enter() has a symbol");
	leaf_with(1);
	leaf_with(2);
	out_with(2);
}
