// SPDX-License-Identifier: MIT
/*
 * Walking up a stack: which of the unwinder's steps fits the place where it stands.
 *
 *   function        arch_unwind_step()
 *   trampoline      arch_unwind_trampoline() gives the traced function, right
 *                   behind its site; it has no frame yet, so the step after goes
 *                   to the parent, whose address came with it
 *   entry code      the registers it saved: on with the interrupted context
 */
#include "core/stacktrace.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "patch/code_pool.h"

#define MAX_LINES	32

/* Weak: a host that has its vectors elsewhere loses only the way through interrupts. */
extern const char __entry_text_start[] __weak;
extern const char __entry_text_end[] __weak;

/* Not inlined: it leaves its own frame behind, and its caller's is the first. */
noinline void stacktrace_start(struct stacktrace *st, const struct pt_regs *regs)
{
	*st = (struct stacktrace) { .first = true, .exact = regs };
	if (regs) {
		arch_unwind_regs(&st->frame, regs);
	} else {
		arch_unwind_here(&st->frame);
		st->done = !arch_unwind_step(&st->frame);
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

	st->exact = false;
	if (st->pending) {
		st->frame.pc = st->pending;
		st->pending = 0;
		return true;
	}
	if (block && (block->flags & CODE_TRAMPOLINE))
		return arch_unwind_trampoline(&st->frame, &block->frame,
					      st->frame.pc - block->start, &st->pending);
	if (is_entry_code(st->frame.pc)) {
		regs = arch_unwind_entry_regs(&st->frame);
		if ((unsigned long)regs < st->frame.stack_low ||
		    (unsigned long)(regs + 1) > st->frame.stack_high)
			return false;
		arch_unwind_regs(&st->frame, regs);
		st->exact = true;
		return true;
	}
	return arch_unwind_step(&st->frame);
}

bool stacktrace_next(struct stacktrace *st, unsigned long *pc)
{
	if (!st->done && !st->first)
		st->done = !step(st);
	st->first = false;
	*pc = st->frame.pc;
	return !st->done;
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
