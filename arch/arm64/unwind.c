// SPDX-License-Identifier: MIT
/*
 * Up the stack on arm64, by frame records:
 *
 *	x29 + 8   return address
 *	x29       caller's x29
 *
 * An interrupt can land where a function has no record yet or none any more,
 * or makes none at all, and anywhere in a trampoline: the first is read from the
 * code itself, the second is known from how trampoline.c lays it out. Every
 * address read on the stack is checked against the frame's bounds first.
 */
#include "arch/arch.h"

#include "a64.h"
#include "base/host.h"
#include "site_words.h"

#define WORD		sizeof(unsigned long)
#define SCAN_WORDS	1024u	/* how far ahead a function's return is looked for */

void arch_unwind_regs(struct unwind_frame *frame, const struct pt_regs *regs)
{
	frame->pc = regs->pc;
	frame->sp = regs->sp;
	frame->fp = regs->x[29];
	frame->regs = regs;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
}

/* Behind the two words of a `pfe` site, of which the first puts the parent's address in x9? */
static bool is_behind_site(unsigned long addr)
{
	unsigned long site = addr - SITE_LENGTH;
	struct kallsym sym;

	return addr % sizeof(u32) == 0 && kallsyms_lookup(site, &sym) && *(const u32 *)site == A64_MOV_X9_X30;
}

unsigned int arch_return_registers(const struct pt_regs *regs, unsigned long *addr)
{
	addr[0] = regs->x[30];
	if (!is_behind_site(regs->x[30]))
		return 1;
	addr[1] = regs->x[9];
	return 2;
}

/* Not inlined: it names its caller by its own frame record. */
noinline void arch_unwind_here(struct unwind_frame *frame)
{
	const unsigned long *fp = __builtin_frame_address(0);

	frame->pc = fp[1];
	frame->sp = (unsigned long)(fp + 2);
	frame->fp = fp[0];
	frame->regs = NULL;
	host_stack_bounds(&frame->stack_low, &frame->stack_high);
}

/* Are @words words at @addr readable stack? */
static bool on_stack(const struct unwind_frame *frame, unsigned long addr, unsigned int words)
{
	return addr % WORD == 0 && addr >= frame->stack_low && addr <= frame->stack_high &&
	       frame->stack_high - addr >= words * WORD;
}

static unsigned long word_at(unsigned long addr)
{
	return *(const unsigned long *)addr;
}

/* stp x29, x30, [sp, #...] or [sp, #...]!; and the ldp that undoes it */
static bool saves_record(u32 insn)
{
	return (insn & 0xfe407fff) == 0xa8007bfd && (insn & 0x01800000);
}

static bool loads_record(u32 insn)
{
	return (insn & 0xfe407fff) == 0xa8407bfd && (insn & 0x01800000);
}

/* add x29, sp, #... */
static bool sets_fp(u32 insn)
{
	return (insn & 0xffc003ff) == 0x910003fd;
}

/*
 * Does the record of the function at @pc stand? The code ahead tells: a record
 * that is still to be made, or a return that no load of x29 and x30 comes before,
 * means no. Unconditional branches inside the function are followed.
 */
static bool has_record(unsigned long pc)
{
	struct kallsym sym;

	if (pc & 3 || !kallsyms_lookup(pc, &sym))
		return false;
	for (unsigned int i = 0; i < SCAN_WORDS && pc - sym.addr < sym.size; i++) {
		u32 insn = *(const u32 *)pc;

		if (saves_record(insn) || sets_fp(insn) || (insn & 0xfffffc1f) == 0xd65f0000)
			return false;
		if (loads_record(insn))
			return true;
		pc = a64_is_b(insn) ? a64_branch_target(insn, pc) : pc + 4;
	}
	/* A tail call left the function; or it never returns, then it has one. */
	return pc - sym.addr < sym.size;
}

bool arch_unwind_step(struct unwind_frame *frame)
{
	const struct pt_regs *regs = frame->regs;
	unsigned long fp = frame->fp;

	frame->regs = NULL;
	if (regs && !has_record(frame->pc)) {
		frame->pc = regs->x[30];
		return frame->pc != 0;
	}
	/* Records lie one above the other: a loop cannot be. */
	if (fp < frame->sp || !on_stack(frame, fp, 2))
		return false;
	frame->pc = word_at(fp + WORD);
	frame->fp = word_at(fp);
	frame->sp = fp + 2 * WORD;
	return frame->pc != 0;
}

/* Code that only counts saves nothing, and returns through x10. */
static void leave_counting(struct unwind_frame *frame, unsigned long *parent)
{
	const unsigned long *x = frame->regs->x;

#ifdef FLAVOUR_pg
	*parent = x[0];
	frame->pc = x[30];
#else
	if (*(const u32 *)frame->regs->pc != a64_ret(10))
		return;
	*parent = x[30];
	frame->pc = x[10];
#endif
}

/* Before and behind the body both addresses are in registers, and x29 is the caller's. */
static bool from_registers(struct unwind_frame *frame, const struct trampoline_frame *desc,
			   unsigned int offset, unsigned long *parent)
{
	const unsigned long *x = frame->regs->x;
	bool leaving = offset >= desc->body_end && !desc->entry_again;

	*parent = leaving ? x[30] : x[9];
#ifdef FLAVOUR_pg
	if (offset == 0)	/* in front of mov x9, x0 */
		*parent = x[0];
#endif
	frame->pc = leaving ? x[9] : x[30];
	if (!desc->frame_bytes)
		leave_counting(frame, parent);
	frame->regs = NULL;
	return true;
}

static bool from_frame(struct unwind_frame *frame, const struct trampoline_frame *desc,
		       unsigned long *parent)
{
	unsigned long record = frame->fp;
	unsigned long sp = record + WORD - desc->parent_offset;

	if (!on_stack(frame, record, 2) || !on_stack(frame, sp + desc->ret_offset, 1))
		return false;
	frame->pc = word_at(sp + desc->ret_offset);
	*parent = word_at(record + WORD);
	frame->fp = word_at(record);
	frame->sp = sp + desc->frame_bytes;
	frame->regs = NULL;
	return true;
}

/*
 * The step after goes to the parent. A `pg` site lies behind the prologue: there
 * x29 is the function's own record still, the parent's is one further.
 */
static bool skip_function(struct unwind_frame *frame)
{
#ifdef FLAVOUR_pg
	unsigned long record = frame->fp;

	if (!on_stack(frame, record, 2))
		return false;
	frame->fp = word_at(record);
	frame->sp = record + 2 * WORD;
#endif
	return true;
}

/*
 * The function graph's: x29 is the parent's where its entry handler is called, and
 * core has put there the sp that the shadow stack knows; x29 is sp in the tail.
 */
static bool from_graph(struct unwind_frame *frame, const struct trampoline_frame *desc,
		       unsigned int offset, unsigned long *parent)
{
	bool in_tail = offset >= desc->tail_start;
	unsigned long sp = frame->regs || !in_tail ? frame->sp : frame->fp;

	if (!on_stack(frame, sp, desc->frame_bytes / WORD))
		return false;
	frame->pc = word_at(sp + desc->ret_offset);
	*parent = word_at(sp + desc->parent_offset);
	frame->fp = word_at(sp);
	frame->sp = sp + desc->frame_bytes;
	frame->regs = NULL;
	return true;
}

static bool in_graph_frame(const struct trampoline_frame *desc, unsigned int offset)
{
	return desc->graph_commit && offset >= desc->body_start &&
	       offset != desc->body_end && offset != desc->tail_end;
}

bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent)
{
	bool in_body = (offset >= desc->body_start && offset < desc->body_end) ||
		       (offset >= desc->tail_start && offset < desc->tail_end);

	if (in_graph_frame(desc, offset))
		return from_graph(frame, desc, offset, parent);
	if (!in_body && !frame->regs)
		return false;
	if (in_body ? !from_frame(frame, desc, parent) : !from_registers(frame, desc, offset, parent))
		return false;
	return skip_function(frame);
}

const struct pt_regs *arch_unwind_entry_regs(const struct unwind_frame *frame)
{
	return (const struct pt_regs *)frame->fp;
}
