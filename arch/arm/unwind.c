// SPDX-License-Identifier: MIT
/*
 * Up the stack on ARM, by the compiler's unwind tables (.ARM.exidx, "Exception
 * Handling ABI for the Arm Architecture", IHI 0038): for each function a list of
 * operations that turn sp and r4 to r15 into those of its caller, from behind the
 * prologue on.
 *
 * An interrupt can land where they do not hold: in a function (prologue.c), in the
 * stub of a call site, and anywhere in a trampoline. There the instructions themselves
 * tell how far the stack pointer has moved. Every address read on the stack is checked
 * against the frame's bounds first.
 */
#include "arch/arch.h"

#include "a32.h"
#include "arm_mcount.h"
#include "base/host.h"
#include "exidx.h"
#include "prologue.h"

void arch_unwind_regs(struct unwind_frame *frame, const struct pt_regs *regs)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(frame->r); i++)
		frame->r[i] = regs->r[i];
	frame->pc = regs->pc;
	frame->sp = regs->sp;
	frame->lr = regs->lr;
	frame->fp = regs->r[A32_FP];
	frame->interrupted = true;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
}

/* A site pushes the parent's. */
unsigned int arch_return_registers(const struct pt_regs *regs, unsigned long *addr)
{
	addr[0] = regs->lr;
	return 1;
}

/* Not inlined: its own table leads to its caller. */
noinline void arch_unwind_here(struct unwind_frame *frame)
{
	unsigned long *r = frame->r;

	/* Out: r0 to r12, sp and pc of this very place. */
	__asm__ volatile("stmia	%[r], {r0-r12}\n"
			 "str	sp, %[sp]\n"
			 "str	lr, %[lr]\n"
			 "mov	%[r], pc\n"
			 "str	%[r], %[pc]"
			 : [r] "+r"(r), [sp] "=m"(frame->sp), [lr] "=m"(frame->lr),
			   [pc] "=m"(frame->pc) : : "memory");
	frame->interrupted = false;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
	if (!arch_unwind_step(frame))
		frame->pc = 0;
}

/* The stub of mcount.S, or its like in leaf.S, at its first or second instruction, returns behind the site. */
static bool leave_stub(struct unwind_frame *frame)
{
	unsigned long first = (unsigned long)arm_ftrace_stub, leaf = (unsigned long)arch_leaf_return;
	unsigned long pushed;

	if (frame->pc == leaf || frame->pc == leaf + WORD)
		first = leaf;
	if ((frame->pc != first && frame->pc != first + WORD) || !exidx_on_stack(frame, frame->sp))
		return false;
	pushed = exidx_word(frame->sp);
	if (frame->pc == first) {
		frame->pc = frame->lr;
		frame->lr = pushed;
	} else {
		frame->pc = pushed;
	}
	frame->sp += WORD;
	return true;
}

bool arch_unwind_step(struct unwind_frame *frame)
{
	bool found, by_register;

	if (frame->interrupted && leave_stub(frame))
		return true;
	/* A return address may be that behind the last instruction of its function. */
	found = frame->interrupted ? prologue_step(frame) : exidx_step(frame, frame->pc - 1, &by_register);
	frame->interrupted = false;
	frame->fp = frame->r[A32_FP];
	frame->pc &= ~1UL;	/* the caller is Thumb code */
	return found && frame->pc != 0;
}

/* ---- trampolines ---- */

#define ARGUMENTS	0x000fu
#define BLOCK_BYTES	16u
#define COUNTING_BYTES	12u	/* what code that only counts has on the stack */

/* The way ahead tells whether the block of many ops stands: its pop comes before the return. */
static unsigned long frame_address(const struct unwind_frame *frame,
				   const struct trampoline_frame *desc, unsigned int offset)
{
#ifdef FLAVOUR_pg
	/* On the way to a direct trampoline r4 is the function's again before the frame is taken down. */
	bool restored = a32_at(frame->pc) == a32_add(A32_SP, A32_SP, offsetof(struct pt_regs, pad));

	return restored ? frame->sp : frame->r[4];
#else
	unsigned long pc = frame->pc, end = pc - offset + desc->body_end, sp = frame->sp;

	/* A leaf's parent is pushed, and the leaf called next. */
	if (a32_is_bl(a32_at(pc)) && a32_at(pc - WORD) == A32_PUSH_LR)
		sp += WORD;
	/* Where a call is left out: it goes on with the branch. */
	if (pc >= end) {
		while (!a32_is_b(a32_at(pc)))
			pc += WORD;
		pc = a32_branch_target(a32_at(pc), pc);
	}
	for (; pc < end; pc += WORD) {
		u32 insn = a32_at(pc);

		if (insn == a32_push(ARGUMENTS))
			break;
		if (insn == a32_pop(ARGUMENTS))
			return sp + BLOCK_BYTES;
	}
	return sp;
#endif
}

#define GRAPH_LIST	(0x1fu | A32_BIT(A32_IP))
#define GRAPH_LEAVE	0xe49df008u	/* ldr pc, [sp], #8 */

/* The function graph's: the pop of all but the last two words comes before the return. */
static bool graph_frame_stands(const struct unwind_frame *frame, const struct trampoline_frame *desc,
			       unsigned int offset)
{
	for (unsigned long pc = frame->pc; offset < desc->body_end; offset += WORD, pc += WORD) {
		if (a32_at(pc) == GRAPH_LEAVE)
			return false;
		if (a32_at(pc) == a32_pop(GRAPH_LIST))
			return true;
	}
	return false;
}

static bool from_graph_end(struct unwind_frame *frame, unsigned long *parent)
{
	if (!exidx_on_stack(frame, frame->sp) || !exidx_on_stack(frame, frame->sp + WORD))
		return false;
	frame->pc = exidx_word(frame->sp);
	*parent = exidx_word(frame->sp + WORD);
	frame->sp += 2 * WORD;
	return true;
}

static bool from_frame(struct unwind_frame *frame, const struct trampoline_frame *desc,
		       unsigned int offset, unsigned long *parent)
{
	unsigned long at = frame_address(frame, desc, offset);
	bool full = desc->frame_bytes == sizeof(struct pt_regs);

	if (desc->graph_commit && !graph_frame_stands(frame, desc, offset))
		return from_graph_end(frame, parent);
	if (!exidx_on_stack(frame, at) || !exidx_on_stack(frame, at + desc->frame_bytes - WORD))
		return false;
	frame->pc = exidx_word(at + desc->ret_offset);
	*parent = exidx_word(at + desc->parent_offset);
	frame->sp = at + desc->frame_bytes;
	for (unsigned int r = 4; r <= (full ? 11 : 4) && desc->frame_bytes > COUNTING_BYTES; r++)
		frame->r[r] = exidx_word(at + r * WORD);
	return true;
}

/* Until the frame stands, lr is the address behind the site, and its push is where it was. */
static bool from_registers(struct unwind_frame *frame, unsigned int offset, unsigned long *parent)
{
	unsigned long push;
	struct moves m;

	if (offset && a32_at(frame->pc - offset) == A32_SWAP_LR) {
		/* Counting code: the two have changed places. */
		unsigned long parent_in_lr = frame->lr;

		if (!frame->interrupted || !exidx_on_stack(frame, frame->sp))
			return false;
		frame->pc = exidx_word(frame->sp);
		frame->sp += WORD;
		*parent = parent_in_lr;
		return true;
	}
	prologue_moves(frame->pc - offset, frame->pc, &m);
	push = frame->sp + m.bytes;
	if (!frame->interrupted || !exidx_on_stack(frame, push))
		return false;
	frame->pc = frame->lr;
	*parent = exidx_word(push);
	frame->sp = push + WORD;
	return true;
}

/*
 * The step after goes to the parent. A `pg` site lies behind the prologue: there
 * the function's own frame is still to be taken down.
 */
static bool skip_function(struct unwind_frame *frame, unsigned long *parent)
{
#ifdef FLAVOUR_pg
	unsigned long site_end = frame->pc;

	frame->lr = *parent;
	if (!prologue_step(frame))
		return false;
	*parent = frame->pc;
	frame->pc = site_end;
#endif
	return true;
}

/*
 * On the way to a direct trampoline parent and address behind the site change places
 * once more. Return: false when the frame stands still.
 */
static bool from_direct(struct unwind_frame *frame, unsigned long *parent)
{
	u32 insn = a32_at(frame->pc);

	if (!frame->interrupted || !exidx_on_stack(frame, frame->sp + WORD))
		return false;
	if (insn == A32_POP_LR) {		/* parent, address */
		*parent = exidx_word(frame->sp);
		frame->pc = exidx_word(frame->sp + WORD);
		frame->sp += 2 * WORD;
	} else if (insn == A32_SWAP_LR) {	/* address; parent in lr */
		*parent = frame->lr;
		frame->pc = exidx_word(frame->sp);
		frame->sp += WORD;
	} else {				/* as at the entry */
		*parent = exidx_word(frame->sp);
		frame->pc = frame->lr;
		frame->sp += WORD;
	}
	return true;
}

static bool leaves_to_direct(const struct unwind_frame *frame, const struct trampoline_frame *desc,
			     unsigned int offset)
{
	u32 insn = a32_at(frame->pc);

	if (offset >= desc->body_end || desc->frame_bytes <= COUNTING_BYTES)
		return false;
	return insn == A32_POP_LR || (insn == A32_SWAP_LR && offset) ||
	       offset + WORD == desc->body_end;
}

bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent)
{
	if (desc->entry_again && leaves_to_direct(frame, desc, offset)) {
		if (!from_direct(frame, parent))
			return false;
	} else if (offset < desc->body_start ? !from_registers(frame, offset, parent) :
					!from_frame(frame, desc, offset, parent))
		return false;
	frame->interrupted = false;
	if (!skip_function(frame, parent))
		return false;
	frame->fp = frame->r[A32_FP];
	*parent &= ~1UL;
	return true;
}

const struct pt_regs *arch_unwind_entry_regs(const struct unwind_frame *frame)
{
	return (const struct pt_regs *)frame->sp;
}
