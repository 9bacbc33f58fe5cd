// SPDX-License-Identifier: MIT
/*
 * Generated code between an ARMv5 call site and its ops.
 *
 * It is entered by the site's bl: lr is the address behind the site, the site
 * has pushed the return address into the parent. Kept are the argument registers
 * and ip (static chain); ops keep the callee-saved registers. With SAVE_REGS all
 * are saved, and what an op writes to them, to pc and to the flags is taken over.
 *
 * Stack at the op, lowest address first; 8-byte aligned, because it is so at a
 * function's entry. `pg` sites lie where it may be off by 4: there r4 keeps the
 * frame's address, and sp is aligned below it.
 *
 *	partial				SAVE_REGS
 *	  0 r0 .. r3	<- fregs	  0 r0 .. r12	<- fregs, with bit 0 set
 *	 16 r4				 52 sp at the site
 *	 20 ip				 56 lr = parent
 *	 24 parent			 60 pc = address behind the site
 *	 28 address behind the site	 64 cpsr
 *					 68 parent, as the site pushed it
 *
 * The last two words of the partial frame have changed places, so that one ldm
 * restores all, lr too, and returns.
 *
 * With many ops {ip, parent, arg, fregs} of the first lies below, 16 bytes, where
 * one ldm gets three arguments; the last op's ldm takes the block down.
 *
 * unwind.c relies on this: until body_start lr is the address behind the site and
 * the site's push is where it was; from there on the frame above stands, and only
 * the block comes and goes.
 */
#include "arch/arch.h"

#include "a32.h"
#include "base/errno.h"
#include "base/string.h"

#define ARGUMENTS	0x000fu		/* r0 .. r3 */
#define R4		4u
#define PARTIAL_LIST	(ARGUMENTS | A32_BIT(R4) | A32_BIT(A32_IP) | A32_BIT(A32_LR))
#define FULL_LIST	0x1fffu		/* r0 .. r12 */
#define SP		A32_SP
#define LR		A32_LR
#define IP		A32_IP

#define PARTIAL(member)	offsetof(struct arm_partial_regs, member)
#define FULL(member)	offsetof(struct pt_regs, member)
#define SITE_BYTES	8
#define MAX_LITERAL	4095u		/* reach of ldr, from the second next instruction */

#ifdef FLAVOUR_pg
#define ALIGN_STACK	true
#else
#define ALIGN_STACK	false
#endif

struct writer {
	u8 *code;
	size_t at, room;	/* at may run beyond room: then nothing is written there */
	unsigned long address;
	size_t literals;	/* where the next one goes, behind the code */
	bool too_far;		/* a literal is out of reach */
};

static void emit(struct writer *w, u32 insn)
{
	if (w->at + sizeof(insn) <= w->room)
		memcpy(w->code + w->at, &insn, sizeof(insn));
	w->at += sizeof(insn);
}

static void emit_load_literal(struct writer *w, unsigned int reg, unsigned long value)
{
	size_t offset = w->literals - w->at;

	if (w->room && offset > MAX_LITERAL)
		w->too_far = true;
	if (w->literals + sizeof(value) <= w->room)
		memcpy(w->code + w->literals, &value, sizeof(value));
	emit(w, a32_ldr_literal(reg, offset & 0xfff));
	w->literals += sizeof(value);
}

static void emit_save_partial(struct writer *w)
{
	emit(w, a32_push(PARTIAL_LIST));
	emit(w, a32_ldr(1, SP, PARTIAL(site_end)));	/* the parent, as pushed */
	emit(w, a32_str(1, SP, PARTIAL(parent)));
	if (ALIGN_STACK)
		emit(w, a32_mov(R4, SP));
	emit(w, a32_str(LR, SP, PARTIAL(site_end)));
}

static void emit_save_full(struct writer *w)
{
	emit(w, a32_sub(SP, SP, FULL(pad)));
	emit(w, a32_stm(SP, FULL_LIST));
	if (ALIGN_STACK)
		emit(w, a32_mov(R4, SP));
	emit(w, a32_add(0, SP, sizeof(struct pt_regs)));
	emit(w, a32_ldr(1, SP, FULL(pad)));		/* the parent, as pushed */
	emit(w, a32_mov(2, LR));
	emit(w, a32_mrs_cpsr(3));
	emit(w, a32_add(IP, SP, FULL(sp)));
	emit(w, a32_stm(IP, ARGUMENTS));		/* sp, lr, pc, cpsr */
}

static void emit_prologue(struct writer *w, bool full, struct trampoline_frame *frame)
{
	if (full)
		emit_save_full(w);
	else
		emit_save_partial(w);
	frame->frame_bytes = full ? sizeof(struct pt_regs) : sizeof(struct arm_partial_regs);
	frame->ret_offset = full ? FULL(pc) : PARTIAL(site_end);
	frame->parent_offset = full ? FULL(pad) : PARTIAL(parent);
	frame->body_start = w->at;
}

/* An op may be Thumb code: blx changes state, bl does not. */
static void emit_call(struct writer *w, unsigned long to)
{
	unsigned long from = w->address + w->at;

	if (a32_in_reach(from, to)) {
		emit(w, a32_branch(A32_BL, from, to));
	} else {
		emit_load_literal(w, IP, to);
		emit(w, a32_blx(IP));
	}
}

/* func(ip, parent, arg, fregs) for each op; the prologue left the parent in r1. */
static void emit_calls(struct writer *w, const struct trampoline_spec *spec, bool full)
{
	unsigned int n = spec->nr_calls;

	emit(w, a32_sub(0, LR, SITE_BYTES));
	emit_load_literal(w, 2, spec->calls[0].arg);
	emit(w, a32_add(3, SP, full ? FTRACE_REGS_FULL : 0));
	if (ALIGN_STACK)
		emit(w, a32_bic(SP, SP, 7));
	if (n > 1)
		emit(w, a32_push(ARGUMENTS));
	emit_call(w, spec->calls[0].func);
	for (unsigned int i = 1; i < n; i++) {
		emit(w, i < n - 1 ? a32_ldm_sp(ARGUMENTS) : a32_pop(ARGUMENTS));
		emit_load_literal(w, 2, spec->calls[i].arg);
		emit_call(w, spec->calls[i].func);
	}
}

static void emit_epilogue(struct writer *w, bool full, struct trampoline_frame *frame)
{
	if (ALIGN_STACK)
		emit(w, a32_mov(SP, R4));
	if (full) {
		emit(w, a32_ldr(2, SP, FULL(cpsr)));
		emit(w, a32_msr_flags(2));
		emit(w, a32_ldm_sp(FULL_LIST | A32_BIT(SP) | A32_BIT(LR) | A32_BIT(A32_PC)));
	} else {
		emit(w, a32_pop(PARTIAL_LIST | A32_BIT(A32_PC)));
	}
	frame->body_end = w->at;
}

static void generate(struct writer *w, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;

	emit_prologue(w, full, frame);
	emit_calls(w, spec, full);
	emit_epilogue(w, full, frame);
}

/* Once to learn where the code ends and the literals begin, once to write. */
int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct writer measure = { .address = at };
	struct writer w = { .code = code, .room = room, .address = at };

	generate(&measure, spec, frame);
	w.literals = measure.at;
	generate(&w, spec, frame);
	if (w.literals > room || w.too_far)
		return -ENOSPC;
	return (int)w.literals;
}

void arch_fill_traps(u8 *code, size_t len)
{
	u32 trap = A32_TRAP;

	for (; len >= sizeof(trap); code += sizeof(trap), len -= sizeof(trap))
		memcpy(code, &trap, sizeof(trap));
}
