// SPDX-License-Identifier: MIT
/*
 * Generated code between an arm64 call site and its ops.
 *
 * It is entered by the site's bl: x30 is the address behind the site, x9 the
 * return address into the parent. Kept are the argument registers and x8 (where
 * a struct goes); ops keep x18 (static chain) and the callee-saved registers,
 * and x9 to x17 are dead at a function's entry. With SAVE_REGS all are saved,
 * and what an op writes to x0-x8, x19-x30, pc and NZCV is taken over; x18 is
 * left alone, because a host may change it under a thread that moves.
 *
 * Flavour `pg`: the parent comes in x0, and nothing but x29 need be kept.
 *
 * Stack at the op, lowest address first; 16-byte aligned. x29 points to a
 * frame record {x29, parent}, so that unwinding needs no sp:
 *
 *	partial				SAVE_REGS
 *	  0 x29    <- fregs, x29	  0 x0 .. x28	<- fregs, with bit 0 set
 *	  8 parent			232 x29		<- x29
 *	 16 x0 .. x8			240 x30 = parent
 *	 88 address behind the site	248 sp at the site
 *	 96 ip, parent: many ops	256 pc = address behind the site
 *					264 NZCV
 *					272 ip, parent: many ops
 *
 * unwind.c relies on this: x29 becomes the frame's as the last step of the
 * prologue; until then parent and return address are in x9 and x30. The epilogue
 * puts them in x30 and x9 at the moment when x29 is the caller's again.
 */
#include "arch/arch.h"

#include "a64.h"
#include "base/errno.h"
#include "base/string.h"

#define X9	9u
#define X10	10u
#define X16	16u
#define X29	29u
#define X30	30u
#define SP	A64_SP

#define PARTIAL(member)	((int)offsetof(struct arm64_partial_regs, member))
#define FULL(member)	((int)offsetof(struct pt_regs, member))
#define BLOCK_BYTES	16	/* ip and parent of a full frame */

#ifdef FLAVOUR_pg
#define PARENT_IN_X0	true
#define SITE_BYTES	4
#else
#define PARENT_IN_X0	false
#define SITE_BYTES	8
#endif

struct writer {
	u8 *code;
	size_t at, room;	/* at may run beyond room: then nothing is written there */
	unsigned long address;
	size_t literals;	/* where the next one goes, behind the code */
};

static void emit(struct writer *w, u32 insn)
{
	if (w->at + sizeof(insn) <= w->room)
		memcpy(w->code + w->at, &insn, sizeof(insn));
	w->at += sizeof(insn);
}

static void emit_load_literal(struct writer *w, unsigned int reg, unsigned long value)
{
	if (w->literals + sizeof(value) <= w->room)
		memcpy(w->code + w->literals, &value, sizeof(value));
	emit(w, a64_ldr_literal(reg, (long)w->literals - (long)w->at));
	w->literals += sizeof(value);
}

static void emit_save_partial(struct writer *w)
{
	emit(w, a64_stp_pre(X29, X9, SP, -(int)sizeof(struct arm64_partial_regs)));
	for (unsigned int x = 0; x < 8 && !PARENT_IN_X0; x += 2)
		emit(w, a64_stp(x, x + 1, SP, PARTIAL(x[0]) + (int)x * 8));
	emit(w, a64_stp(8, X30, SP, PARTIAL(x[8])));
	emit(w, a64_add(X29, SP, 0));
}

static void emit_save_full(struct writer *w, int frame_bytes)
{
	emit(w, a64_stp_pre(0, 1, SP, -frame_bytes));
	for (unsigned int x = 2; x < 30; x += 2)
		emit(w, a64_stp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(w, a64_add(X10, SP, (unsigned int)frame_bytes));
	emit(w, a64_stp(X9, X10, SP, FULL(x[30])));
	emit(w, a64_mrs_nzcv(X10));
	emit(w, a64_stp(X30, X10, SP, FULL(pc)));
	emit(w, a64_add(X29, SP, FULL(x[29])));
}

static void emit_prologue(struct writer *w, bool full, bool block, struct trampoline_frame *frame)
{
	int full_bytes = (int)sizeof(struct pt_regs) + (block ? BLOCK_BYTES : 0);

	if (PARENT_IN_X0)
		emit(w, a64_mov(X9, 0));
	if (full)
		emit_save_full(w, full_bytes);
	else
		emit_save_partial(w);
	frame->frame_bytes = full ? full_bytes : (int)sizeof(struct arm64_partial_regs);
	frame->ret_offset = full ? FULL(pc) : PARTIAL(site_end);
	frame->parent_offset = full ? FULL(x[30]) : PARTIAL(parent);
	frame->body_start = w->at;
}

static void emit_call(struct writer *w, unsigned long to)
{
	unsigned long from = w->address + w->at;

	if (a64_in_reach(from, to)) {
		emit(w, a64_branch(A64_BL, from, to));
	} else {
		emit_load_literal(w, X16, to);
		emit(w, a64_blr(X16));
	}
}

/* func(ip, parent, arg, fregs) for each op. */
static void emit_calls(struct writer *w, const struct trampoline_spec *spec, bool full, bool block)
{
	int pair = full ? (int)sizeof(struct pt_regs) : PARTIAL(call);

	emit(w, a64_sub(0, X30, SITE_BYTES));
	emit(w, a64_mov(1, X9));
	if (block)
		emit(w, a64_stp(0, 1, SP, pair));
	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		if (i > 0)
			emit(w, a64_ldp(0, 1, SP, pair));
		emit_load_literal(w, 2, spec->calls[i].arg);
		emit(w, a64_add(3, SP, full ? FTRACE_REGS_FULL : 0));
		emit_call(w, spec->calls[i].func);
	}
}

static void emit_restore_partial(struct writer *w)
{
	for (unsigned int x = 0; x < 8 && !PARENT_IN_X0; x += 2)
		emit(w, a64_ldp(x, x + 1, SP, PARTIAL(x[0]) + (int)x * 8));
	emit(w, a64_ldp(8, X9, SP, PARTIAL(x[8])));
	emit(w, a64_ldp_post(X29, X30, SP, (int)sizeof(struct arm64_partial_regs)));
}

static void emit_restore_full(struct writer *w)
{
	emit(w, a64_ldp(X9, X10, SP, FULL(pc)));
	emit(w, a64_msr_nzcv(X10));
	for (unsigned int x = 0; x < 8; x += 2)
		emit(w, a64_ldp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(w, a64_ldr(8, SP, FULL(x[8])));
	for (unsigned int x = 19; x < 29; x += 2)
		emit(w, a64_ldp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(w, a64_ldp(X29, X30, SP, FULL(x[29])));
}

static void emit_epilogue(struct writer *w, bool full, struct trampoline_frame *frame)
{
	if (full)
		emit_restore_full(w);
	else
		emit_restore_partial(w);
	frame->body_end = w->at;
	if (full)
		emit(w, a64_add(SP, SP, frame->frame_bytes));
	emit(w, a64_ret(X9));	/* behind the site; ret needs no landing pad there */
}

static void generate(struct writer *w, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	bool block = spec->nr_calls > 1;

	emit_prologue(w, full, block, frame);
	emit_calls(w, spec, full, block);
	emit_epilogue(w, full, frame);
}

/* Once to learn where the code ends and the literals begin, once to write. */
int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct writer measure = { .address = at };
	struct writer w = { .code = code, .room = room, .address = at };

	generate(&measure, spec, frame);
	w.literals = ALIGN_UP(measure.at, sizeof(unsigned long));
	generate(&w, spec, frame);
	/* body_start and body_end are 16 bits. */
	if (w.literals > room || w.at > 0xffff)
		return -ENOSPC;
	return (int)w.literals;
}

/* udf #0 */
void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 0, len);
}
