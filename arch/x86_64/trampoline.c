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
 * With many ops parent and record's address are kept below all that, in a block of
 * 16 bytes: 3 instructions once, 1 less for each op. A leaf called from here finds
 * the parent right above its return address then, as it does behind a site.
 *
 * Ops that only count need none of this: incq, ret. Behind the ret or jmp, where the
 * frame stands once more: for each test of an op what happens when it is left out.
 *
 * unwind.c reads prologue and epilogue back, instruction by instruction: what
 * is emitted there must be known to it.
 */
#include "arch/arch.h"
#include "arch/trampoline_code.h"

#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

/* Numbers of registers in instructions. */
enum reg { AX, CX, DX, BX, SP, BP, SI, DI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const u8 partial_regs[] = { DI, SI, DX, CX, AX, R8, R9, R10 };
static const u8 all_regs[] = {
	DI, SI, DX, CX, AX, R8, R9, R10, R11, BX, BP, R12, R13, R14, R15
};

#define DERIVED_BYTES	48	/* error ip cs flags sp ss */
#define BLOCK_BYTES	16	/* parent, record's address */
#define BLOCK_IP	8
#define BLOCK_MIN_CALLS	5	/* from here on the block pays */

#define JUMP_CARRY	0x82	/* second byte of jc, je */
#define JUMP_EQUAL	0x84
#define GS		0x65	/* prefix */

#define EMIT(c, ...) do { \
	const u8 bytes_[] = { __VA_ARGS__ }; \
	trampoline_emit(c, bytes_, sizeof(bytes_)); \
} while (0)

static void emit_u32(struct trampoline_code *c, u32 value)
{
	trampoline_emit(c, &value, sizeof(value));
}

static void emit_push(struct trampoline_code *c, u8 reg)
{
	if (reg >= R8)
		EMIT(c, 0x41);
	EMIT(c, 0x50 + (reg & 7));
}

static void emit_pop(struct trampoline_code *c, u8 reg)
{
	if (reg >= R8)
		EMIT(c, 0x41);
	EMIT(c, 0x58 + (reg & 7));
}

/* lea bytes(%rsp), %rsp: flags stay. */
static void emit_move_sp(struct trampoline_code *c, int bytes)
{
	EMIT(c, 0x48, 0x8d, 0x64, 0x24, (u8)bytes);
}

static void emit_u64(struct trampoline_code *c, unsigned long value)
{
	trampoline_emit(c, &value, sizeof(value));
}

/* mov offset(%rsp), %reg; reg is one of the low eight. */
static void emit_load(struct trampoline_code *c, enum reg reg, unsigned int offset)
{
	if (offset < 128) {
		EMIT(c, 0x48, 0x8b, 0x44 | reg << 3, 0x24, offset);
	} else {
		EMIT(c, 0x48, 0x8b, 0x84 | reg << 3, 0x24);
		emit_u32(c, offset);
	}
}

/* From the return address behind the site to the record's address, in rdi. */
static void emit_record_address(struct trampoline_code *c, unsigned int ret_offset)
{
	emit_load(c, DI, ret_offset);
	EMIT(c, 0x48, 0x83, 0xef, SITE_LENGTH); /* sub $5, %rdi */
}

/* mov $value, %reg; the short form when the upper half is zero. Reg is one of the low eight. */
static void emit_mov(struct trampoline_code *c, enum reg reg, unsigned long value)
{
	if (value >> 32) {
		EMIT(c, 0x48, 0xb8 | reg);
		emit_u64(c, value);
	} else {
		EMIT(c, 0xb8 | reg);
		emit_u32(c, value);
	}
}

/* push offset(%rsp) */
static void emit_push_copy(struct trampoline_code *c, unsigned int offset)
{
	if (offset < 128) {
		EMIT(c, 0xff, 0x74, 0x24, offset);
	} else {
		EMIT(c, 0xff, 0xb4, 0x24);
		emit_u32(c, offset);
	}
}

typedef int (*encoder)(u8 *insn, unsigned long from, unsigned long to);

/* A call or a jump out of here. */
static void emit_branch(struct trampoline_code *c, encoder encode, unsigned long to)
{
	u8 insn[ARCH_INSN_BYTES] = { 0 };
	int error = encode(insn, c->address + c->at, to);

	if (error)
		c->error = error;
	trampoline_emit(c, insn, sizeof(insn));
}

/* The address of a place, in rax. */
static void emit_place(struct trampoline_code *c, const struct host_place *place)
{
	if (place->base == HOST_BASE_CPU) {
		EMIT(c, GS, 0x48, 0x8b, 0x04, 0x25);	/* mov %gs:offset, %rax */
		emit_u32(c, place->offset);
		return;
	}
	emit_mov(c, AX, place->offset);
	if (place->pointer)
		EMIT(c, 0x48, 0x8b, 0x00);		/* mov (%rax), %rax */
}

static void emit_prologue(struct trampoline_code *c, bool full, bool block, struct trampoline_frame *frame)
{
	const u8 *regs = full ? all_regs : partial_regs;
	unsigned int n = full ? sizeof(all_regs) : sizeof(partial_regs);

	frame->ret_offset = n * 8;
	if (full) {
		emit_move_sp(c, -DERIVED_BYTES);
		EMIT(c, 0x9c);	/* pushfq */
		frame->ret_offset += DERIVED_BYTES + 8;
	}
	for (unsigned int i = 0; i < n; i++)
		emit_push(c, regs[i]);
	if (block) {
		emit_record_address(c, frame->ret_offset);
		emit_push(c, DI);
		emit_push_copy(c, frame->ret_offset + 16);	/* parent; one word was pushed meanwhile */
		frame->ret_offset += BLOCK_BYTES;
	}
	frame->parent_offset = frame->ret_offset + 8;
	frame->frame_bytes = frame->parent_offset + 8;
	frame->body_start = c->at;
}

/* ---- tests before a call ---- */

/* Jump on @condition to where the call is left out and counted. */
static void emit_test_jump(struct trampoline_code *c, u8 condition, unsigned long count)
{
	EMIT(c, 0x0f, condition);
	emit_u32(c, 0);		/* filled in by emit_left_out() */
	trampoline_note_test(c, count);
}

static void emit_watching_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_watching_place();

	if (place.base == HOST_BASE_NONE)
		return;
	if (place.base == HOST_BASE_CPU) {
		EMIT(c, GS, 0x80, 0x3c, 0x25);		/* cmpb $0, %gs:offset */
		emit_u32(c, place.offset);
		EMIT(c, 0);
	} else {
		emit_place(c, &place);
		EMIT(c, 0x80, 0x38, 0);			/* cmpb $0, (%rax) */
	}
	emit_test_jump(c, JUMP_EQUAL, count);
}

/* The guard is the lowest byte of trace_state.recursion; see core/context.h. */
static void emit_guard_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_trace_state_place();

	emit_place(c, &place);
	EMIT(c, 0x48, 0x0f, 0xba, 0x28, 0);		/* btsq $0, (%rax) */
	emit_test_jump(c, JUMP_CARRY, count);
}

static void emit_guard_end(struct trampoline_code *c)
{
	const struct host_place place = host_trace_state_place();

	emit_place(c, &place);
	EMIT(c, 0xc6, 0x00, 0);				/* movb $0, (%rax) */
}

static void fill_in_jump(struct trampoline_code *c, size_t behind, size_t to)
{
	u32 distance = to - behind;

	trampoline_put(c, behind - sizeof(distance), &distance, sizeof(distance));
}

static void emit_left_out(struct trampoline_code *c, unsigned long left_out, struct trampoline_frame *frame)
{
	frame->tail_start = c->at;
	for (unsigned int i = 0; i < c->nr_tests; i++) {
		const struct trampoline_test *test = &c->tests[i];

		fill_in_jump(c, test->branch, c->at);
		emit_mov(c, DI, test->count);
		emit_branch(c, arch_insn_call, left_out);
		emit_branch(c, arch_insn_jump, c->address + test->next);
	}
	frame->tail_end = c->at;
}

/* ---- calls ---- */

/* One instruction: an interrupt comes before or after it. */
static void emit_count(struct trampoline_code *c, unsigned long number)
{
	const struct host_counters counters = host_counters();
	unsigned long offset = counters.place.offset + number * sizeof(unsigned long);

	if (counters.place.base == HOST_BASE_CPU) {
		EMIT(c, GS, 0x48, 0xff, 0x04, 0x25);	/* incq %gs:offset */
		emit_u32(c, offset);
		return;
	}
	EMIT(c, 0x49, 0xbb);				/* mov $offset, %r11 */
	emit_u64(c, offset);
	EMIT(c, 0x49, 0xff, 0x03);			/* incq (%r11) */
}

/* func(ip, parent, arg, fregs); the prologue with a block has left ip in rdi for the first. */
static void emit_op(struct trampoline_code *c, const struct trampoline_call *call, bool first, u8 fregs,
		    bool block, const struct trampoline_frame *frame)
{
	unsigned int first_test = c->nr_tests;

	if (call->flags & TRAMPOLINE_CALL_WATCHING)
		emit_watching_test(c, call->not_watching);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_test(c, call->recursed);
	if (!block)
		emit_record_address(c, frame->ret_offset);
	else if (!first)
		emit_load(c, DI, BLOCK_IP);
	emit_load(c, SI, frame->parent_offset);
	emit_mov(c, DX, call->arg);
	if (fregs)
		EMIT(c, 0x48, 0x8d, 0x4c, 0x24, fregs);	/* lea fregs(%rsp), %rcx */
	else
		EMIT(c, 0x48, 0x89, 0xe1);		/* mov %rsp, %rcx */
	emit_branch(c, arch_insn_call, call->func);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_end(c);
	trampoline_close_tests(c, first_test);
}

static void emit_calls(struct trampoline_code *c, const struct trampoline_spec *spec, bool block,
		       const struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	u8 fregs = (block ? BLOCK_BYTES : 0) +
		   (full ? offsetof(struct pt_regs, r10) | FTRACE_REGS_FULL : 0);

	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		const struct trampoline_call *call = &spec->calls[i];

		if (call->flags & TRAMPOLINE_CALL_COUNT)
			emit_count(c, call->arg);
		else if (call->flags & TRAMPOLINE_CALL_LEAF)
			emit_branch(c, arch_insn_call, call->func);
		else
			emit_op(c, call, i == 0, fregs, block, frame);
	}
}

static void emit_exit(struct trampoline_code *c, const struct trampoline_spec *spec)
{
	if (spec->direct)
		emit_branch(c, arch_insn_jump, spec->direct);
	else
		EMIT(c, 0xc3);	/* ret: behind the site */
}

static void emit_epilogue(struct trampoline_code *c, bool full, bool block, struct trampoline_frame *frame)
{
	const u8 *regs = full ? all_regs : partial_regs;

	frame->body_end = c->at;
	if (block)
		emit_move_sp(c, BLOCK_BYTES);
	for (unsigned int i = full ? sizeof(all_regs) : sizeof(partial_regs); i--; )
		emit_pop(c, regs[i]);
	if (full) {
		EMIT(c, 0x9d);	/* popfq */
		emit_move_sp(c, DERIVED_BYTES);
	}
}

/* ---- whole trampolines ---- */

static bool has_call(const struct trampoline_spec *spec, unsigned int flag)
{
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		if (spec->calls[i].flags & flag)
			return true;
	return false;
}

/* The stack is as the site's call left it all the way. */
static void generate_counting(struct trampoline_code *c, const struct trampoline_spec *spec,
			      struct trampoline_frame *frame)
{
	frame->parent_offset = 8;
	frame->frame_bytes = 16;
	emit_calls(c, spec, false, frame);
	frame->body_end = c->at;
	emit_exit(c, spec);
}

static void generate(struct trampoline_code *c, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	bool block = spec->nr_calls >= BLOCK_MIN_CALLS || has_call(spec, TRAMPOLINE_CALL_LEAF);

	emit_prologue(c, full, block, frame);
	emit_calls(c, spec, block, frame);
	emit_epilogue(c, full, block, frame);
	emit_exit(c, spec);
	emit_left_out(c, spec->left_out, frame);
}

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct trampoline_code c = { .code = code, .room = room, .address = at };

	*frame = (struct trampoline_frame){ 0 };
	if (trampoline_only_counts(spec))
		generate_counting(&c, spec, frame);
	else
		generate(&c, spec, frame);
	return trampoline_size(&c, c.at);
}

/* Counting is one instruction: there is no window. */
void arch_trampoline_mend(struct pt_regs *regs)
{
}

void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 0xcc, len);
}
