// SPDX-License-Identifier: MIT
/*
 * Entering and leaving interrupts. All is kept with the interrupted thread, which
 * stays the current one until the interrupt is over; so nothing here is per CPU.
 */
#include "core/context.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "core/stacktrace.h"
#include "patch/code_pool.h"
#include "patch/text_poke.h"

void baretrace_irq_enter(struct pt_regs *regs, struct baretrace_irq *save)
{
	struct trace_state *state = host_trace_state();

	save->recursion = READ_ONCE(state->recursion);
	save->outer = (struct pt_regs *)READ_ONCE(state->irq_regs);
	/* An NMI from here on puts aside what it finds and gives it back: any mix is right. */
	WRITE_ONCE(state->recursion, 0);
	WRITE_ONCE(state->irq_regs, (unsigned long)regs);
	WRITE_ONCE(state->context, READ_ONCE(state->context) + 1);
	if (code_pool_covers(regs_pc(regs)))
		arch_trampoline_mend(regs);
	fgraph_irq_enter(regs, save);
}

void baretrace_irq_exit(struct baretrace_irq *save)
{
	struct trace_state *state = host_trace_state();

	fgraph_irq_exit(save);
	WRITE_ONCE(state->context, READ_ONCE(state->context) - 1);
	WRITE_ONCE(state->irq_regs, (unsigned long)save->outer);
	WRITE_ONCE(state->recursion, save->recursion);
}

struct pt_regs *baretrace_irq_regs(void)
{
	return (struct pt_regs *)READ_ONCE(host_trace_state()->irq_regs);
}

/* Neither what is planted as a return address nor what a variable may hold: a start. */
static bool leads_into_callback(unsigned long addr, const void *unused)
{
	const struct code_block *block = code_pool_find(addr);

	if (block && block->flags & CODE_TRAMPOLINE)
		return addr != block->start;
	return fgraph_in_return_code(addr) && !fgraph_is_planted(addr);
}

static bool leads_into_range(unsigned long addr, const void *arg)
{
	const struct address_range *range = arg;

	return addr > range->start && addr < range->end;
}

bool context_in_callback(void)
{
	struct stacktrace st;

	stacktrace_start(&st, NULL);
	return stacktrace_find(&st, leads_into_callback, NULL);
}

bool context_in_range(const struct address_range *range)
{
	struct stacktrace st;

	stacktrace_start(&st, NULL);
	return stacktrace_find(&st, leads_into_range, range);
}

bool text_poke_in_callback(void)
{
	return context_in_callback();
}
