// SPDX-License-Identifier: MIT
/*
 * Generated code between an x86-64 call site and its ops.
 *
 * It is entered by the site's call, right at the function's entry: kept are
 * the argument registers, rax (vector count of variadic calls) and r10 (static
 * chain); r11 is dead there, and ops keep the callee-saved registers. With
 * SAVE_REGS all of them and the flags. DF is clear at a function's entry (ABI).
 *
 * Stack at the op, lowest address first; 16-byte aligned, because the entry
 * stands at 8 mod 16 behind the parent's call and the site's call adds 8:
 *
 *	partial				SAVE_REGS
 *	  0 r10  <- fregs		  0 r15 r14 r13 r12 rbp rbx r11
 *	  8 r9				 56 r10  <- fregs, with bit 0 set
 *	 16 r8				 64 r9 r8 rax rcx rdx rsi rdi
 *	 24 rax				120 flags (pt_regs.vector)
 *	 32 rcx				128 error ip cs flags sp ss: not written here
 *	 40 rdx				176 return address behind the site
 *	 48 rsi				184 return address into the parent
 *	 56 rdi
 *	 64 return address behind the site
 *	 72 return address into the parent
 *
 * With many ops the record's address is kept below all that, in a block of 16
 * bytes: 3 instructions once, 1 less for each op.
 *
 * unwind.c reads prologue and epilogue back, instruction by instruction: what
 * is emitted there must be known to it.
 */
#include "arch/arch.h"

#include "base/errno.h"
#include "base/string.h"

/* Numbers of registers in instructions. */
enum reg { AX, CX, DX, BX, SP, BP, SI, DI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const u8 partial_regs[] = { DI, SI, DX, CX, AX, R8, R9, R10 };
static const u8 all_regs[] = {
	DI, SI, DX, CX, AX, R8, R9, R10, R11, BX, BP, R12, R13, R14, R15
};

#define DERIVED_BYTES	48	/* error ip cs flags sp ss */
#define BLOCK_BYTES	16	/* record's address, twice */
#define BLOCK_MIN_CALLS	5	/* from here on the block pays */

struct writer {
	u8 *code;
	size_t at, room;	/* at may run beyond room: then nothing is written there */
	unsigned long address;
};

static void emit(struct writer *w, const void *bytes, size_t n)
{
	if (w->at + n <= w->room)
		memcpy(w->code + w->at, bytes, n);
	w->at += n;
}

#define EMIT(w, ...) do { \
	const u8 bytes_[] = { __VA_ARGS__ }; \
	emit(w, bytes_, sizeof(bytes_)); \
} while (0)

static void emit_u32(struct writer *w, u32 value)
{
	emit(w, &value, sizeof(value));
}

static void emit_push(struct writer *w, u8 reg)
{
	if (reg >= R8)
		EMIT(w, 0x41);
	EMIT(w, 0x50 + (reg & 7));
}

static void emit_pop(struct writer *w, u8 reg)
{
	if (reg >= R8)
		EMIT(w, 0x41);
	EMIT(w, 0x58 + (reg & 7));
}

/* lea bytes(%rsp), %rsp: flags stay. */
static void emit_move_sp(struct writer *w, int bytes)
{
	EMIT(w, 0x48, 0x8d, 0x64, 0x24, (u8)bytes);
}

/* mov offset(%rsp), %reg; reg is one of the low eight. */
static void emit_load(struct writer *w, enum reg reg, unsigned int offset)
{
	if (offset < 128) {
		EMIT(w, 0x48, 0x8b, 0x44 | reg << 3, 0x24, offset);
	} else {
		EMIT(w, 0x48, 0x8b, 0x84 | reg << 3, 0x24);
		emit_u32(w, offset);
	}
}

/* From the return address behind the site to the record's address, in rdi. */
static void emit_record_address(struct writer *w, unsigned int ret_offset)
{
	emit_load(w, DI, ret_offset);
	EMIT(w, 0x48, 0x83, 0xef, ARCH_INSN_BYTES);	/* sub $5, %rdi */
}

/* mov $arg, %rdx, the short form when the upper half is zero. */
static void emit_arg(struct writer *w, unsigned long arg)
{
	if (arg >> 32) {
		EMIT(w, 0x48, 0xba);
		emit(w, &arg, sizeof(arg));
	} else {
		EMIT(w, 0xba);
		emit_u32(w, arg);
	}
}

static int emit_call(struct writer *w, unsigned long to)
{
	u8 insn[ARCH_INSN_BYTES];
	int error = arch_insn_call(insn, w->address + w->at, to);

	if (!error)
		emit(w, insn, sizeof(insn));
	return error;
}

static void emit_prologue(struct writer *w, bool full, bool block, struct trampoline_frame *frame)
{
	const u8 *regs = full ? all_regs : partial_regs;
	unsigned int n = full ? sizeof(all_regs) : sizeof(partial_regs);

	frame->ret_offset = n * 8;
	if (full) {
		emit_move_sp(w, -DERIVED_BYTES);
		EMIT(w, 0x9c);	/* pushfq */
		frame->ret_offset += DERIVED_BYTES + 8;
	}
	for (unsigned int i = 0; i < n; i++)
		emit_push(w, regs[i]);
	if (block) {
		emit_record_address(w, frame->ret_offset);
		emit_push(w, DI);
		emit_push(w, DI);
		frame->ret_offset += BLOCK_BYTES;
	}
	frame->parent_offset = frame->ret_offset + 8;
	frame->frame_bytes = frame->parent_offset + 8;
	frame->body_start = w->at;
}

/* func(ip, parent, arg, fregs) for each op. */
static int emit_calls(struct writer *w, const struct trampoline_spec *spec, bool block,
		      const struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	u8 fregs = (block ? BLOCK_BYTES : 0) +
		   (full ? offsetof(struct pt_regs, r10) | FTRACE_REGS_FULL : 0);
	int error = 0;

	for (unsigned int i = 0; i < spec->nr_calls && !error; i++) {
		if (!block)
			emit_record_address(w, frame->ret_offset);
		else if (i > 0)		/* the prologue left it in rdi for the first */
			emit_load(w, DI, 0);
		emit_load(w, SI, frame->parent_offset);
		emit_arg(w, spec->calls[i].arg);
		if (fregs)
			EMIT(w, 0x48, 0x8d, 0x4c, 0x24, fregs);	/* lea fregs(%rsp), %rcx */
		else
			EMIT(w, 0x48, 0x89, 0xe1);		/* mov %rsp, %rcx */
		error = emit_call(w, spec->calls[i].func);
	}
	return error;
}

static void emit_epilogue(struct writer *w, bool full, bool block, struct trampoline_frame *frame)
{
	const u8 *regs = full ? all_regs : partial_regs;

	frame->body_end = w->at;
	if (block)
		emit_move_sp(w, BLOCK_BYTES);
	for (unsigned int i = full ? sizeof(all_regs) : sizeof(partial_regs); i--; )
		emit_pop(w, regs[i]);
	if (full) {
		EMIT(w, 0x9d);	/* popfq */
		emit_move_sp(w, DERIVED_BYTES);
	}
	EMIT(w, 0xc3);		/* ret: behind the site */
}

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct writer w = { .code = code, .room = room, .address = at };
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	bool block = spec->nr_calls >= BLOCK_MIN_CALLS;
	int error;

	emit_prologue(&w, full, block, frame);
	error = emit_calls(&w, spec, block, frame);
	if (error)
		return error;
	emit_epilogue(&w, full, block, frame);
	/* body_start and body_end are 16 bits. */
	if (w.at > w.room || w.at > 0xffff)
		return -ENOSPC;
	return w.at;
}

void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 0xcc, len);
}
