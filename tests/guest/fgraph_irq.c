// SPDX-License-Identifier: MIT
/*
 * Interrupts in the middle of the function graph's own code, by setting its shadow stack
 * as it is there: what is found there stays, and the thread finds it again.
 */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/host.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "kernel/port.h"
#include "patch/code_pool.h"
#include "patch/site.h"

#define FRAME	sizeof(struct fgraph_frame)
#define LOW	0x1000UL	/* a stack pointer below all others */

static struct fg_counter users[2];

static void start(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		struct fgraph_ops *graph = &users[i].graph;

		users[i] = (struct fg_counter){ .graph.entryfunc = fg_count_entry, .graph.retfunc = fg_count_return };
		if (ftrace_set_filter(&graph->ops, "fg_[abc]", true) != 3 || register_ftrace_graph(graph))
			report(false, "user %u", i);
	}
}

static void end(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		if (unregister_ftrace_graph(&users[i].graph))
			report(false, "user %u leaves", i);
		ftrace_free_filter(&users[i].graph.ops);
	}
}

/* The last frame is taken, and in it is whatever was there. Return: where the pointer is. */
static notrace unsigned long take_last(void)
{
	unsigned long last = fgraph_bottom(arch_shadow_sp()) + FGRAPH_DEPTH * FRAME;

	arch_set_shadow_sp(last);
	fgraph_frame_fill(fgraph_frame_at(last), 0, 0, LOW);
	return last;
}

/* ---- calls and ways out in an interrupt ------------------------------------------------ */

static unsigned long wrong;

static notrace void call_inside(void *arg)
{
	wrong += fg_a(10) != 13;
}

static notrace void unwind_inside(void *arg)
{
	wrong += fgraph_unwind_to(-LOW) != 0;
}

static void check_floor(unsigned int nr, void (*inside)(void *arg), const char *what)
{
	unsigned long before, last, found, flags, told = 0;

	start(nr);
	flags = host_irq_save();
	wrong = 0;
	before = arch_shadow_sp();
	last = take_last();
	port_soft_irq(inside, NULL);
	found = arch_shadow_sp();
	arch_set_shadow_sp(before);
	host_irq_restore(flags);
	for (unsigned int i = 0; i < nr; i++)
		told += users[i].entries + users[i].returns;
	report(found == last && !wrong && !told,
	       "%u users, %s in an interrupt: %lu frames of the thread less, %lu handlers called", nr, what,
	       (last - found) / FRAME, told);
	end(nr);
}

DEFINE_TEST(fgraph_floor)
{
	for (unsigned int nr = 1; nr <= 2; nr++) {
		check_floor(nr, call_inside, "calls");
		check_floor(nr, unwind_inside, "a way out");
	}
}

/* ---- what the scheduler meets after one -------------------------------------------------- */

/* An interrupt that finds its context at this place of a user's entry code. */
static notrace void interrupt_at(void *arg)
{
	struct pt_regs regs = *baretrace_irq_regs();
	struct baretrace_irq save;

	regs_set_pc(&regs, (unsigned long)arg);
	baretrace_irq_enter(&regs, &save);
	baretrace_irq_exit(&save);
}

static notrace bool held_after_interrupt_at(unsigned long pc)
{
	unsigned long before = arch_shadow_sp(), last = take_last(), found;

	port_soft_irq(interrupt_at, (void *)pc);
	/* It acts for the thread. */
	wrong += fg_a(10) != 13;
	found = arch_shadow_sp();
	arch_set_shadow_sp(before);
	return found == last;
}

DEFINE_TEST(fgraph_half_made)
{
	unsigned long flags, pc;
	const struct code_block *block;
	unsigned int dropped = 0, places = 0;

	start(1);
	wrong = 0;
	block = code_pool_find(site_target(site_of_function((unsigned long)fg_a)));
	report(block && block->frame.graph_commit, "entry code of its own");
	flags = host_irq_save();
	for (pc = block ? block->start + block->frame.graph_write : 0;
	     block && pc < block->start + block->frame.graph_commit; pc += 4, places++)
		dropped += !held_after_interrupt_at(pc);
	host_irq_restore(flags);
	report(!dropped && places && !wrong, "%u of %u places where the scheduler takes the frame away",
	       dropped, places);
	end(1);
}

/* ---- what a return path reads at last ------------------------------------------------------ */

/* An NMI that comes before the interrupt has mended what it found. */
DEFINE_TEST(fgraph_read_last)
{
	unsigned long *word, flags, found;

	start(1);
	flags = host_irq_save();
	word = &fgraph_frame_at(arch_shadow_sp() + FRAME)->ret;
	wrong = 0;
	*word = LOW;
	port_soft_irq(call_inside, NULL);
	found = *word;
	host_irq_restore(flags);
	report(!wrong && users[0].entries == 3 && users[0].returns == 3, "%lu entries, %lu returns in an interrupt",
	       users[0].entries, users[0].returns);
	report(found == LOW || !ARCH_FGRAPH_MENDS, "the return address above the newest frame is there again");
	end(1);
}
