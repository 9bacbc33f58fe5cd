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

#include "base/errno.h"
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

/* A jump to where a call is left out. */
struct test {
	size_t jump;		/* behind its displacement */
	size_t next;		/* code behind the call */
	unsigned long count;
};

struct writer {
	u8 *code;
	size_t at, room;	/* at may run beyond room: then nothing is written there */
	unsigned long address;
	struct test tests[TRAMPOLINE_MAX_TESTS];
	unsigned int nr_tests;	/* may exceed the array: -ENOSPC */
	int error;
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

static void emit_u64(struct writer *w, unsigned long value)
{
	emit(w, &value, sizeof(value));
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
	EMIT(w, 0x48, 0x83, 0xef, SITE_LENGTH); /* sub $5, %rdi */
}

/* mov $value, %reg; the short form when the upper half is zero. Reg is one of the low eight. */
static void emit_mov(struct writer *w, enum reg reg, unsigned long value)
{
	if (value >> 32) {
		EMIT(w, 0x48, 0xb8 | reg);
		emit_u64(w, value);
	} else {
		EMIT(w, 0xb8 | reg);
		emit_u32(w, value);
	}
}

/* push offset(%rsp) */
static void emit_push_copy(struct writer *w, unsigned int offset)
{
	if (offset < 128) {
		EMIT(w, 0xff, 0x74, 0x24, offset);
	} else {
		EMIT(w, 0xff, 0xb4, 0x24);
		emit_u32(w, offset);
	}
}

typedef int (*encoder)(u8 *insn, unsigned long from, unsigned long to);

/* A call or a jump out of here. */
static void emit_branch(struct writer *w, encoder encode, unsigned long to)
{
	u8 insn[ARCH_INSN_BYTES] = { 0 };
	int error = encode(insn, w->address + w->at, to);

	if (error)
		w->error = error;
	emit(w, insn, sizeof(insn));
}

/* The address of a place, in rax. */
static void emit_place(struct writer *w, const struct host_place *place)
{
	if (place->base == HOST_BASE_CPU) {
		EMIT(w, GS, 0x48, 0x8b, 0x04, 0x25);	/* mov %gs:offset, %rax */
		emit_u32(w, place->offset);
		return;
	}
	emit_mov(w, AX, place->offset);
	if (place->pointer)
		EMIT(w, 0x48, 0x8b, 0x00);		/* mov (%rax), %rax */
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
		emit_push_copy(w, frame->ret_offset + 16);	/* parent; one word was pushed meanwhile */
		frame->ret_offset += BLOCK_BYTES;
	}
	frame->parent_offset = frame->ret_offset + 8;
	frame->frame_bytes = frame->parent_offset + 8;
	frame->body_start = w->at;
}

/* ---- tests before a call ---- */

/* Jump on @condition to where the call is left out and counted. */
static void emit_test_jump(struct writer *w, u8 condition, unsigned long count)
{
	EMIT(w, 0x0f, condition);
	emit_u32(w, 0);		/* filled in by emit_left_out() */
	if (w->nr_tests < ARRAY_SIZE(w->tests))
		w->tests[w->nr_tests] = (struct test){ .jump = w->at, .count = count };
	w->nr_tests++;
}

static void emit_watching_test(struct writer *w, unsigned long count)
{
	const struct host_place place = host_watching_place();

	if (place.base == HOST_BASE_NONE)
		return;
	if (place.base == HOST_BASE_CPU) {
		EMIT(w, GS, 0x80, 0x3c, 0x25);		/* cmpb $0, %gs:offset */
		emit_u32(w, place.offset);
		EMIT(w, 0);
	} else {
		emit_place(w, &place);
		EMIT(w, 0x80, 0x38, 0);			/* cmpb $0, (%rax) */
	}
	emit_test_jump(w, JUMP_EQUAL, count);
}

/* The guard is the lowest byte of trace_state.recursion; see core/context.h. */
static void emit_guard_test(struct writer *w, unsigned long count)
{
	const struct host_place place = host_trace_state_place();

	emit_place(w, &place);
	EMIT(w, 0x48, 0x0f, 0xba, 0x28, 0);		/* btsq $0, (%rax) */
	emit_test_jump(w, JUMP_CARRY, count);
}

static void emit_guard_end(struct writer *w)
{
	const struct host_place place = host_trace_state_place();

	emit_place(w, &place);
	EMIT(w, 0xc6, 0x00, 0);				/* movb $0, (%rax) */
}

static void fill_in_jump(struct writer *w, size_t behind, size_t to)
{
	u32 distance = to - behind;

	if (behind <= w->room)
		memcpy(w->code + behind - sizeof(distance), &distance, sizeof(distance));
}

static void emit_left_out(struct writer *w, unsigned long left_out, struct trampoline_frame *frame)
{
	frame->tail_start = w->at;
	for (unsigned int i = 0; i < min(w->nr_tests, TRAMPOLINE_MAX_TESTS); i++) {
		const struct test *test = &w->tests[i];

		fill_in_jump(w, test->jump, w->at);
		emit_mov(w, DI, test->count);
		emit_branch(w, arch_insn_call, left_out);
		emit_branch(w, arch_insn_jump, w->address + test->next);
	}
	frame->tail_end = w->at;
}

/* ---- calls ---- */

/* One instruction: an interrupt comes before or after it. */
static void emit_count(struct writer *w, unsigned long number)
{
	const struct host_counters counters = host_counters();
	unsigned long offset = counters.place.offset + number * sizeof(unsigned long);

	if (counters.place.base == HOST_BASE_CPU) {
		EMIT(w, GS, 0x48, 0xff, 0x04, 0x25);	/* incq %gs:offset */
		emit_u32(w, offset);
		return;
	}
	EMIT(w, 0x49, 0xbb);				/* mov $offset, %r11 */
	emit_u64(w, offset);
	EMIT(w, 0x49, 0xff, 0x03);			/* incq (%r11) */
}

/* func(ip, parent, arg, fregs); the prologue with a block has left ip in rdi for the first. */
static void emit_op(struct writer *w, const struct trampoline_call *call, bool first, u8 fregs,
		    bool block, const struct trampoline_frame *frame)
{
	unsigned int test = w->nr_tests;

	if (call->flags & TRAMPOLINE_CALL_WATCHING)
		emit_watching_test(w, call->not_watching);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_test(w, call->recursed);
	if (!block)
		emit_record_address(w, frame->ret_offset);
	else if (!first)
		emit_load(w, DI, BLOCK_IP);
	emit_load(w, SI, frame->parent_offset);
	emit_mov(w, DX, call->arg);
	if (fregs)
		EMIT(w, 0x48, 0x8d, 0x4c, 0x24, fregs);	/* lea fregs(%rsp), %rcx */
	else
		EMIT(w, 0x48, 0x89, 0xe1);		/* mov %rsp, %rcx */
	emit_branch(w, arch_insn_call, call->func);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_end(w);
	for (; test < min(w->nr_tests, TRAMPOLINE_MAX_TESTS); test++)
		w->tests[test].next = w->at;
}

static void emit_calls(struct writer *w, const struct trampoline_spec *spec, bool block,
		       const struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	u8 fregs = (block ? BLOCK_BYTES : 0) +
		   (full ? offsetof(struct pt_regs, r10) | FTRACE_REGS_FULL : 0);

	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		const struct trampoline_call *call = &spec->calls[i];

		if (call->flags & TRAMPOLINE_CALL_COUNT)
			emit_count(w, call->arg);
		else if (call->flags & TRAMPOLINE_CALL_LEAF)
			emit_branch(w, arch_insn_call, call->func);
		else
			emit_op(w, call, i == 0, fregs, block, frame);
	}
}

static void emit_exit(struct writer *w, const struct trampoline_spec *spec)
{
	if (spec->direct)
		emit_branch(w, arch_insn_jump, spec->direct);
	else
		EMIT(w, 0xc3);	/* ret: behind the site */
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
}

/* ---- whole trampolines ---- */

static bool has_call(const struct trampoline_spec *spec, unsigned int flag)
{
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		if (spec->calls[i].flags & flag)
			return true;
	return false;
}

static bool only_counts(const struct trampoline_spec *spec)
{
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		if (!(spec->calls[i].flags & TRAMPOLINE_CALL_COUNT))
			return false;
	return true;
}

/* The stack is as the site's call left it all the way. */
static void generate_counting(struct writer *w, const struct trampoline_spec *spec,
			      struct trampoline_frame *frame)
{
	frame->parent_offset = 8;
	frame->frame_bytes = 16;
	emit_calls(w, spec, false, frame);
	frame->body_end = w->at;
	emit_exit(w, spec);
}

static void generate(struct writer *w, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	bool block = spec->nr_calls >= BLOCK_MIN_CALLS || has_call(spec, TRAMPOLINE_CALL_LEAF);

	emit_prologue(w, full, block, frame);
	emit_calls(w, spec, block, frame);
	emit_epilogue(w, full, block, frame);
	emit_exit(w, spec);
	emit_left_out(w, spec->left_out, frame);
}

int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct writer w = { .code = code, .room = room, .address = at };

	*frame = (struct trampoline_frame){ 0 };
	if (only_counts(spec))
		generate_counting(&w, spec, frame);
	else
		generate(&w, spec, frame);
	if (w.error)
		return w.error;
	/* Offsets in the frame are 16 bits. */
	if (w.at > w.room || w.at > 0xffff || w.nr_tests > TRAMPOLINE_MAX_TESTS)
		return -ENOSPC;
	return w.at;
}

/* Counting is one instruction: there is no window. */
void arch_trampoline_mend(struct pt_regs *regs)
{
}

void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 0xcc, len);
}
