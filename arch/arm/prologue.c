// SPDX-License-Identifier: MIT
/*
 * Up from a function that was stopped outside of what its unwind table describes: in its
 * prologue, in its epilogue, between the words of its call site. The instructions behind
 * tell what was pushed, those ahead what will be popped.
 */
#include "prologue.h"

#include "a32.h"
#include "exidx.h"

#define SCAN_WORDS	64u	/* how far an epilogue is followed */

static bool is_site_word(u32 insn)
{
	return insn == A32_PUSH_LR || insn == A32_SKIP;
}

/* Both words at @pc are a call site's: as a whole it moves nothing. */
static bool is_site(unsigned long pc)
{
	return is_site_word(a32_at(pc)) && a32_is_bl(a32_at(pc + WORD));
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
		m->lr_at = m->bytes + (a32_is_push(insn) ? WORD : bytes);
	}
	m->bytes += bytes;
}

static void note_insn(struct moves *m, u32 insn)
{
	if (a32_is_push(insn))
		note_push(m, insn, list_bytes(insn), insn & A32_BIT(A32_LR));
	else if (a32_is_push_one(insn))
		note_push(m, insn, insn & 0xfff, (insn >> 12 & 15) == A32_LR);
	else if (a32_is_sub_sp(insn))
		m->bytes += a32_immediate(insn);
	else if (a32_is_add_fp(insn))
		m->framed = true;
	else if (a32_is_pop(insn) || a32_is_pop_one(insn) || a32_is_add_sp(insn) || a32_is_sub_sp_fp(insn))
		m->popped = true;
}

void prologue_moves(unsigned long entry, unsigned long pc, struct moves *m)
{
	*m = (struct moves){ 0 };
	for (; entry < pc; entry += WORD) {
		if (entry + WORD < pc && is_site(entry))
			entry += WORD;
		else
			note_insn(m, a32_at(entry));
	}
}

/* To the caller of a function that has pushed @m->bytes. */
static bool step_by_moves(struct unwind_frame *frame, const struct moves *m)
{
	unsigned long sp = frame->sp + m->bytes;

	if (m->lr_saved && !exidx_on_stack(frame, sp - m->lr_at))
		return false;
	frame->pc = m->lr_saved ? exidx_word(sp - m->lr_at) : frame->lr;
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
	       a32_is_push(insn) || a32_is_push_one(insn) || a32_is_sub_sp(insn);
}

static bool pop_by_insn(struct unwind_frame *at, u32 insn)
{
	if (a32_is_pop(insn))
		return exidx_pop(at, insn & 0xffff);
	if (a32_is_pop_one(insn))
		return exidx_pop(at, A32_BIT(insn >> 12 & 15));
	if (a32_is_add_sp(insn))
		at->sp += a32_immediate(insn);
	else if (a32_is_sub_sp_fp(insn))
		at->sp = at->r[A32_FP] - a32_immediate(insn);
	return true;
}

static bool loads_pc(u32 insn)
{
	return (a32_is_pop(insn) && insn & A32_BIT(A32_PC)) ||
	       (a32_is_pop_one(insn) && (insn >> 12 & 15) == A32_PC);
}

/* By what the way ahead pops until it returns. Return: false when it does not lead straight there. */
static bool step_by_epilogue(struct unwind_frame *frame, const struct kallsym *sym)
{
	struct unwind_frame at = *frame;
	unsigned long pc = frame->pc;

	for (unsigned int i = 0; i < SCAN_WORDS && pc - sym->addr < sym->size; i++, pc += WORD) {
		u32 insn = a32_at(pc);
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

/* Between the words of a site lr is pushed, whatever the first word is now. */
static void leave_site(struct unwind_frame *frame, const struct kallsym *sym)
{
	if (frame->pc < sym->addr + WORD || !is_site(frame->pc - WORD))
		return;
	frame->pc -= WORD;
	frame->sp += WORD;
}

bool prologue_step(struct unwind_frame *frame)
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
	prologue_moves(sym.addr, frame->pc, &m);
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
