// SPDX-License-Identifier: MIT
/*
 * Interrupts in the function graph's own code, between any two instructions of it.
 *
 * The interrupt's calls have their frames above those that it found, and drops none of
 * these (trace_state.shadow_floor): the newest may be taken and not yet written, with
 * anything in it. What it writes over is beyond the pointer, where nobody's frames are,
 * but for one word of a return path's last instruction.
 */
#include "base/host.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "core/fgraph_stack.h"
#include "patch/code_pool.h"

/*
 * Where a return path that ends by reading its frame (ARCH_FGRAPH_MENDS) reads it when
 * that is down already; NULL: there is no such place.
 */
static unsigned long *return_above(unsigned long shadow)
{
	shadow += sizeof(struct fgraph_frame);
	return ARCH_FGRAPH_MENDS && fgraph_has_frame(shadow) ? &fgraph_frame_at(shadow)->ret : NULL;
}

/*
 * The frame gets its stack pointer early. We leave it alone whatever is in it, but when
 * we are over, the scheduler acts for the thread that it belongs to, with that thread's
 * floor: it must not look left behind.
 */
static void hold_half_made(const struct pt_regs *regs)
{
	const struct code_block *block = code_pool_find(regs_pc(regs));

	if (block && fgraph_is_half_made(&block->frame, regs_pc(regs) - block->start))
		fgraph_frame_at(arch_shadow_sp())->sp = regs_sp(regs);
}

void fgraph_irq_enter(struct pt_regs *regs, struct baretrace_irq *save)
{
	struct trace_state *state = host_trace_state();
	unsigned long floor = fgraph_settled(arch_shadow_sp());
	const unsigned long *above = return_above(floor);

	save->shadow_floor = READ_ONCE(state->shadow_floor);
	WRITE_ONCE(state->shadow_floor, floor);
	/* For who is interrupted before it could mend what it found: an NMI in entry code gives it back. */
	save->return_above = above ? READ_ONCE(*above) : 0;
	if (code_pool_covers(regs_pc(regs)))
		hold_half_made(regs);
	if (ARCH_FGRAPH_MENDS && fgraph_in_return_code(regs_pc(regs)))
		arch_fgraph_mend(regs);
}

void fgraph_irq_exit(const struct baretrace_irq *save)
{
	struct trace_state *state = host_trace_state();
	unsigned long *above = return_above(READ_ONCE(state->shadow_floor));

	if (above)
		WRITE_ONCE(*above, save->return_above);
	WRITE_ONCE(state->shadow_floor, save->shadow_floor);
}
