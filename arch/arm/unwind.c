// SPDX-License-Identifier: MIT
/*
 * Up the stack on ARM, by the compiler's unwind tables (.ARM.exidx, "Exception
 * Handling ABI for the Arm Architecture", IHI 0038): for each function a list of
 * operations that turn sp and r4 to r15 into those of its caller, from behind the
 * prologue on.
 *
 * An interrupt can land in a prologue, in an epilogue, between the words of a
 * call site, in its stub, and anywhere in a trampoline. There the instructions
 * themselves tell how far the stack pointer has moved. Every address read on the
 * stack is checked against the frame's bounds first.
 */
#include "arch/arch.h"

#include "a32.h"
#include "arm_mcount.h"
#include "exidx.h"
#include "base/host.h"

#define WORD		4u
#define SCAN_WORDS	64u	/* how far a prologue or an epilogue is followed */

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

/* ---- a function that was stopped outside of what its table describes ---- */

struct moves {
	unsigned int bytes;	/* pushed since the function's entry */
	bool popped;		/* an epilogue lies between: the count says nothing */
	bool framed;		/* r11 was set from sp */
	bool lr_saved;
	unsigned int lr_at;	/* ... and so far below the entry's sp */
};

static u32 insn_at(unsigned long pc)
{
	return *(const u32 *)pc;
}

static unsigned long word_at(unsigned long addr)
{
	return *(const unsigned long *)addr;
}

static bool is_site_word(u32 insn)
{
	return insn == A32_PUSH_LR || insn == A32_SKIP;
}

/* Both words at @pc are a call site's: as a whole it moves nothing. */
static bool is_site(unsigned long pc)
{
	return is_site_word(insn_at(pc)) && a32_is_bl(insn_at(pc + WORD));
}

/* Value of an instruction's rotated 8-bit immediate. */
static unsigned int immediate(u32 insn)
{
	unsigned int value = insn & 0xff, by = insn >> 8 & 15;

	return by ? value >> 2 * by | value << (32 - 2 * by) : value;
}

static bool is_push(u32 insn)	/* stmdb sp!, {...} */
{
	return (insn & 0x0fff0000) == 0x092d0000;
}

static bool is_push_one(u32 insn)	/* str rt, [sp, #-n]! */
{
	return (insn & 0x0fff0000) == 0x052d0000;
}

static bool is_pop(u32 insn)	/* ldmia sp!, {...} */
{
	return (insn & 0x0fff0000) == 0x08bd0000;
}

static bool is_pop_one(u32 insn)	/* ldr rt, [sp], #n */
{
	return (insn & 0x0fff0000) == 0x049d0000;
}

static bool is_sub_sp(u32 insn)	/* sub sp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x024dd000;
}

static bool is_add_sp(u32 insn)	/* add sp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x028dd000;
}

static bool is_sub_sp_fp(u32 insn)	/* sub sp, fp, #n */
{
	return (insn & 0x0ffff000) == 0x024bd000;
}

static bool is_add_fp(u32 insn)	/* add fp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x028db000;
}

static unsigned int list_bytes(u32 insn)
{
	return (unsigned int)__builtin_popcount(insn & 0xffff) * WORD;
}

/* pc is not in the list of a push, so lr is the last word: right below what was there. */
static void note_push(struct moves *m, u32 insn, unsigned int bytes, bool has_lr)
{
	if (has_lr) {
		m->lr_saved = true;
		m->lr_at = m->bytes + (is_push(insn) ? WORD : bytes);
	}
	m->bytes += bytes;
}

static void note_insn(struct moves *m, u32 insn)
{
	if (is_push(insn))
		note_push(m, insn, list_bytes(insn), insn & A32_BIT(A32_LR));
	else if (is_push_one(insn))
		note_push(m, insn, insn & 0xfff, (insn >> 12 & 15) == A32_LR);
	else if (is_sub_sp(insn))
		m->bytes += immediate(insn);
	else if (is_add_fp(insn))
		m->framed = true;
	else if (is_pop(insn) || is_pop_one(insn) || is_add_sp(insn) || is_sub_sp_fp(insn))
		m->popped = true;
}

/* What the straight way from @entry to @pc has done to the stack. */
static void moves_between(unsigned long entry, unsigned long pc, struct moves *m)
{
	*m = (struct moves){ 0 };
	for (; entry < pc; entry += WORD) {
		if (entry + WORD < pc && is_site(entry))
			entry += WORD;
		else
			note_insn(m, insn_at(entry));
	}
}

/* To the caller of a function that has pushed @m->bytes. */
static bool step_by_moves(struct unwind_frame *frame, const struct moves *m)
{
	unsigned long sp = frame->sp + m->bytes;

	if (m->lr_saved && !exidx_on_stack(frame, sp - m->lr_at))
		return false;
	frame->pc = m->lr_saved ? word_at(sp - m->lr_at) : frame->lr;
	frame->sp = sp;
	return true;
}

/* An instruction that ends a function: bx, or b out of it. */
static bool leaves(u32 insn, unsigned long pc, const struct kallsym *sym)
{
	if ((insn & 0x0ffffff0) == 0x012fff10)
		return true;
	return a32_is_b(insn) && a32_branch_target(insn, pc) - sym->addr >= sym->size;
}

/* A branch within the function, a call, more of the frame: no epilogue is straight ahead. */
static bool goes_on(u32 insn)
{
	return (insn & 0x0e000000) == 0x0a000000 || (insn & 0x0ffffff0) == 0x012fff30 ||
	       is_push(insn) || is_push_one(insn) || is_sub_sp(insn);
}

static bool pop_by_insn(struct unwind_frame *at, u32 insn)
{
	if (is_pop(insn))
		return exidx_pop(at, insn & 0xffff);
	if (is_pop_one(insn))
		return exidx_pop(at, A32_BIT(insn >> 12 & 15));
	if (is_add_sp(insn))
		at->sp += immediate(insn);
	else if (is_sub_sp_fp(insn))
		at->sp = at->r[A32_FP] - immediate(insn);
	return true;
}

static bool loads_pc(u32 insn)
{
	return (is_pop(insn) && insn & A32_BIT(A32_PC)) ||
	       (is_pop_one(insn) && (insn >> 12 & 15) == A32_PC);
}

/* By what the way ahead pops until it returns. Return: false when it does not lead straight there. */
static bool step_by_epilogue(struct unwind_frame *frame, const struct kallsym *sym)
{
	struct unwind_frame at = *frame;
	unsigned long pc = frame->pc;

	for (unsigned int i = 0; i < SCAN_WORDS && pc - sym->addr < sym->size; i++, pc += WORD) {
		u32 insn = insn_at(pc);
		bool returns = loads_pc(insn), leaving = leaves(insn, pc, sym);

		if (!leaving && goes_on(insn))
			return false;
		if (!pop_by_insn(&at, insn))
			return false;
		if (!returns && !leaving)
			continue;
		if (leaving)
			at.pc = at.lr;
		*frame = at;
		return true;
	}
	return false;
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
	pushed = word_at(frame->sp);
	if (frame->pc == first) {
		frame->pc = frame->lr;
		frame->lr = pushed;
	} else {
		frame->pc = pushed;
	}
	frame->sp += WORD;
	return true;
}

/* Between the words of a site lr is pushed, whatever the first word is now. */
static void leave_site(struct unwind_frame *frame, const struct kallsym *sym)
{
	if (frame->pc < sym->addr + WORD || !is_site(frame->pc - WORD))
		return;
	frame->pc -= WORD;
	frame->sp += WORD;
}

static bool step_interrupted(struct unwind_frame *frame)
{
	struct unwind_frame by_table;
	bool has_table, by_register, partly;
	struct kallsym sym;
	struct moves m;

	if (frame->pc & 3 || !kallsyms_lookup(frame->pc, &sym)) {
		frame->pc = frame->lr;	/* a jump into nowhere: who made it? */
		return true;
	}
	leave_site(frame, &sym);
	moves_between(sym.addr, frame->pc, &m);
	by_table = *frame;
	has_table = exidx_step(&by_table, frame->pc, &by_register);
	partly = !has_table || (by_register ? !m.framed : by_table.sp - frame->sp > m.bytes);
	if (!m.popped && partly)
		return step_by_moves(frame, &m);
	if (step_by_epilogue(frame, &sym))
		return true;
	*frame = by_table;
	return has_table;
}

bool arch_unwind_step(struct unwind_frame *frame)
{
	bool found, by_register;

	if (frame->interrupted && leave_stub(frame))
		return true;
	/* A return address may be that behind the last instruction of its function. */
	found = frame->interrupted ? step_interrupted(frame) :
				     exidx_step(frame, frame->pc - 1, &by_register);
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
	bool restored = insn_at(frame->pc) == a32_add(A32_SP, A32_SP, offsetof(struct pt_regs, pad));

	return restored ? frame->sp : frame->r[4];
#else
	unsigned long pc = frame->pc, end = pc - offset + desc->body_end, sp = frame->sp;

	/* A leaf's parent is pushed, and the leaf called next. */
	if (a32_is_bl(insn_at(pc)) && insn_at(pc - WORD) == A32_PUSH_LR)
		sp += WORD;
	/* Where a call is left out: it goes on with the branch. */
	if (pc >= end) {
		while (!a32_is_b(insn_at(pc)))
			pc += WORD;
		pc = a32_branch_target(insn_at(pc), pc);
	}
	for (; pc < end; pc += WORD) {
		u32 insn = insn_at(pc);

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
		if (insn_at(pc) == GRAPH_LEAVE)
			return false;
		if (insn_at(pc) == a32_pop(GRAPH_LIST))
			return true;
	}
	return false;
}

static bool from_graph_end(struct unwind_frame *frame, unsigned long *parent)
{
	if (!exidx_on_stack(frame, frame->sp) || !exidx_on_stack(frame, frame->sp + WORD))
		return false;
	frame->pc = word_at(frame->sp);
	*parent = word_at(frame->sp + WORD);
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
	frame->pc = word_at(at + desc->ret_offset);
	*parent = word_at(at + desc->parent_offset);
	frame->sp = at + desc->frame_bytes;
	for (unsigned int r = 4; r <= (full ? 11 : 4) && desc->frame_bytes > COUNTING_BYTES; r++)
		frame->r[r] = word_at(at + r * WORD);
	return true;
}

/* Until the frame stands, lr is the address behind the site, and its push is where it was. */
static bool from_registers(struct unwind_frame *frame, unsigned int offset, unsigned long *parent)
{
	unsigned long push;
	struct moves m;

	if (offset && insn_at(frame->pc - offset) == A32_SWAP_LR) {
		/* Counting code: the two have changed places. */
		unsigned long parent_in_lr = frame->lr;

		if (!frame->interrupted || !exidx_on_stack(frame, frame->sp))
			return false;
		frame->pc = word_at(frame->sp);
		frame->sp += WORD;
		*parent = parent_in_lr;
		return true;
	}
	moves_between(frame->pc - offset, frame->pc, &m);
	push = frame->sp + m.bytes;
	if (!frame->interrupted || !exidx_on_stack(frame, push))
		return false;
	frame->pc = frame->lr;
	*parent = word_at(push);
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
	if (!step_interrupted(frame))
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
	u32 insn = insn_at(frame->pc);

	if (!frame->interrupted || !exidx_on_stack(frame, frame->sp + WORD))
		return false;
	if (insn == A32_POP_LR) {		/* parent, address */
		*parent = word_at(frame->sp);
		frame->pc = word_at(frame->sp + WORD);
		frame->sp += 2 * WORD;
	} else if (insn == A32_SWAP_LR) {	/* address; parent in lr */
		*parent = frame->lr;
		frame->pc = word_at(frame->sp);
		frame->sp += WORD;
	} else {				/* as at the entry */
		*parent = word_at(frame->sp);
		frame->pc = frame->lr;
		frame->sp += WORD;
	}
	return true;
}

static bool leaves_to_direct(const struct unwind_frame *frame, const struct trampoline_frame *desc,
			     unsigned int offset)
{
	u32 insn = insn_at(frame->pc);

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
