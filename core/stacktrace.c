// SPDX-License-Identifier: MIT
/*
 * Walking up a stack: which of the unwinder's steps fits the place where it stands.
 *
 *   function        arch_unwind_step()
 *   trampoline      arch_unwind_trampoline() gives the traced function, right
 *                   behind its site; it has no frame yet, so the step after goes
 *                   to the parent, whose address came with it
 *   entry code      the registers it saved: on with the interrupted context
 *   return path     of the function graph: on with the caller of the function that
 *                   has just returned
 *
 * Return addresses that the function graph has planted are replaced by the true
 * ones; its frames, newest first, are used up on the way.
 */
#include "core/stacktrace.h"
#include "arch/fgraph.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "core/fgraph.h"
#include "patch/code_pool.h"

#define MAX_LINES	32

/* Weak: a host that has its vectors elsewhere loses only the way through interrupts. */
extern const char __entry_text_start[] __weak;
extern const char __entry_text_end[] __weak;

/* The caller of a function whose stack pointer was @sp somewhere inside, when it returns to @pc. */
static unsigned long true_caller(struct stacktrace *st, unsigned long pc, unsigned long sp)
{
	return fgraph_is_planted(pc) ? fgraph_cursor_caller(&st->graph, sp) : pc;
}

static bool step_function(struct stacktrace *st)
{
	unsigned long sp = st->frame.sp;

	if (!arch_unwind_step(&st->frame))
		return false;
	st->frame.pc = true_caller(st, st->frame.pc, sp);
	return st->frame.pc;
}

/*
 * A graph user's own trampoline: its frame on the shadow stack may be taken, not yet
 * written; or written, and then it knows where a called handler's caller stands.
 */
static void look_at_graph(struct stacktrace *st, const struct trampoline_frame *desc, unsigned int offset)
{
	const struct fgraph_frame *frame;

	if (st->exact) {
		if (fgraph_is_half_made(desc, offset))
			fgraph_cursor_skip(&st->graph);
	} else if (offset < desc->body_end) {
		frame = fgraph_cursor_find(&st->graph, st->frame.sp);
		if (frame)
			st->frame.sp = fgraph_frame_raw_sp(frame);
	}
}

static bool step_trampoline(struct stacktrace *st, const struct code_block *block)
{
	unsigned int offset = st->frame.pc - block->start;
	unsigned long sp;

	if (block->frame.graph_commit)
		look_at_graph(st, &block->frame, offset);
	sp = st->frame.sp;
	if (!arch_unwind_trampoline(&st->frame, &block->frame, offset, &st->pending))
		return false;
	if (fgraph_is_planted(st->pending))
		st->pending = fgraph_cursor_caller(&st->graph, sp);
	else	/* the traced function's own frame, before its return is planted */
		fgraph_cursor_drop(&st->graph, st->frame.sp - FGRAPH_RETURN_BYTES);
	return true;
}

static bool step_return_path(struct stacktrace *st)
{
	unsigned long sp = st->frame.sp - FGRAPH_RETURN_BYTES;
	const struct fgraph_frame *frame = fgraph_cursor_find(&st->graph, sp);
	int used = arch_fgraph_unwind(&st->frame, frame);

	if (used < 0)
		return false;
	if (used)
		fgraph_cursor_skip(&st->graph);
	st->frame.pc = true_caller(st, st->frame.pc, sp);
	return st->frame.pc;
}

/* Not inlined: it leaves its own frame behind, and its caller's is the first. */
noinline void stacktrace_start(struct stacktrace *st, const struct pt_regs *regs)
{
	*st = (struct stacktrace) { .first = true, .exact = regs };
	fgraph_cursor_start(&st->graph);
	if (regs) {
		arch_unwind_regs(&st->frame, regs);
	} else {
		arch_unwind_here(&st->frame);
		st->done = !step_function(st);
	}
}

static bool is_entry_code(unsigned long pc)
{
	return pc >= (unsigned long)__entry_text_start && pc < (unsigned long)__entry_text_end;
}

static bool step(struct stacktrace *st)
{
	const struct code_block *block = code_pool_find(st->frame.pc);
	const struct pt_regs *regs;

	if (st->pending) {
		st->frame.pc = st->pending;
		st->pending = 0;
		return true;
	}
	if (block && (block->flags & CODE_TRAMPOLINE))
		return step_trampoline(st, block);
	if (fgraph_in_return_code(st->frame.pc))
		return step_return_path(st);
	if (is_entry_code(st->frame.pc)) {
		regs = arch_unwind_entry_regs(&st->frame);
		if ((unsigned long)regs < st->frame.stack_low ||
		    (unsigned long)(regs + 1) > st->frame.stack_high)
			return false;
		arch_unwind_regs(&st->frame, regs);
		return true;
	}
	return step_function(st);
}

bool stacktrace_next(struct stacktrace *st, unsigned long *pc)
{
	unsigned long entry = st->frame.pc;

	if (!st->done && !st->first) {
		st->done = !step(st);
		/* Out of entry code one comes to where it interrupted. */
		st->exact = is_entry_code(entry);
	}
	st->first = false;
	*pc = st->frame.pc;
	return !st->done;
}

static bool find_word(unsigned long from, unsigned long end, bool (*is_it)(unsigned long addr, const void *arg),
		      const void *arg)
{
	for (from = ALIGN_DOWN(from, sizeof(long)); from < end; from += sizeof(long))
		if (is_it(*(const unsigned long *)from, arg))
			return true;
	return false;
}

bool stacktrace_find(struct stacktrace *st, bool (*is_it)(unsigned long addr, const void *arg),
		     const void *arg)
{
	unsigned long pc, sp = st->frame.sp;

	/* A step that fails may leave any sp behind. */
	for (; stacktrace_next(st, &pc); sp = st->frame.sp)
		if (is_it(pc, arg))
			return true;
	return find_word(sp, st->frame.stack_high, is_it, arg);
}

/* A return address may lie behind the end of a function that ends with its call. */
static void print_line(unsigned long pc, bool exact)
{
	unsigned long at = exact ? pc : pc - 1;
	const struct code_block *block = code_pool_find(at);
	struct kallsym sym;

	if (block)
		pr_info("  %s+0x%lx/0x%lx\n", block->name, pc - block->start,
			(unsigned long)block->size);
	else if (kallsyms_lookup(at, &sym))
		pr_info("  %s+0x%lx/0x%lx\n", sym.name, pc - sym.addr, sym.size);
	else
		pr_info("  0x%lx\n", pc);
}

void stacktrace_print(const struct pt_regs *regs)
{
	struct stacktrace st;
	unsigned long pc;
	int i;

	stacktrace_start(&st, regs);
	if (!regs)
		stacktrace_next(&st, &pc);	/* this function itself */
	for (i = 0; i < MAX_LINES && stacktrace_next(&st, &pc); i++)
		print_line(pc, st.exact);
	if (i == MAX_LINES && stacktrace_next(&st, &pc))
		pr_info("  ...\n");
}
