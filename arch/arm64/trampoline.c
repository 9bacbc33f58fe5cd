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
 * Ops that only count need none of this: count, and back behind the site. Behind the
 * last return or jump, where the frame stands once more: for each test of an op what
 * happens when it is left out.
 *
 * unwind.c relies on this: x29 becomes the frame's as the last step of the
 * prologue; until then parent and return address are in x9 and x30. The epilogue
 * puts them in x30 and x9 at the moment when x29 is the caller's again.
 */
#include "arch/arch.h"
#include "arch/trampoline_code.h"

#include "a64.h"
#include "base/bug.h"
#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

#define X9	9u
#define X10	10u
#define X11	11u
#define X16	16u
#define X29	29u
#define X30	30u
#define SP	A64_SP

#define PARTIAL(member)	((int)offsetof(struct arm64_partial_regs, member))
#define FULL(member)	((int)offsetof(struct pt_regs, member))
#define BLOCK_BYTES	16	/* ip and parent of a full frame */

#ifdef FLAVOUR_pg
#define PARENT_IN_X0	true
#else
#define PARENT_IN_X0	false
#endif

static void emit(struct trampoline_code *c, u32 insn)
{
	trampoline_emit(c, &insn, sizeof(insn));
}

static void emit_load_literal(struct trampoline_code *c, unsigned int reg, unsigned long value)
{
	emit(c, a64_ldr_literal(reg, (long)trampoline_literal(c, value) - (long)c->at));
}

static void emit_save_partial(struct trampoline_code *c)
{
	emit(c, a64_stp_pre(X29, X9, SP, -(int)sizeof(struct arm64_partial_regs)));
	for (unsigned int x = 0; x < 8 && !PARENT_IN_X0; x += 2)
		emit(c, a64_stp(x, x + 1, SP, PARTIAL(x[0]) + (int)x * 8));
	emit(c, a64_stp(8, X30, SP, PARTIAL(x[8])));
	emit(c, a64_add(X29, SP, 0));
}

static void emit_save_full(struct trampoline_code *c, int frame_bytes)
{
	emit(c, a64_stp_pre(0, 1, SP, -frame_bytes));
	for (unsigned int x = 2; x < 30; x += 2)
		emit(c, a64_stp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(c, a64_add(X10, SP, (unsigned int)frame_bytes));
	emit(c, a64_stp(X9, X10, SP, FULL(x[30])));
	emit(c, a64_mrs_nzcv(X10));
	emit(c, a64_stp(X30, X10, SP, FULL(pc)));
	emit(c, a64_add(X29, SP, FULL(x[29])));
}

static void emit_prologue(struct trampoline_code *c, bool full, bool block, struct trampoline_frame *frame)
{
	int full_bytes = (int)sizeof(struct pt_regs) + (block ? BLOCK_BYTES : 0);

	if (PARENT_IN_X0)
		emit(c, a64_mov(X9, 0));
	if (full)
		emit_save_full(c, full_bytes);
	else
		emit_save_partial(c);
	frame->frame_bytes = full ? full_bytes : (int)sizeof(struct arm64_partial_regs);
	frame->ret_offset = full ? FULL(pc) : PARTIAL(site_end);
	frame->parent_offset = full ? FULL(x[30]) : PARTIAL(parent);
	frame->body_start = c->at;
}

static void emit_call(struct trampoline_code *c, unsigned long to)
{
	unsigned long from = c->address + c->at;

	if (a64_in_reach(from, to)) {
		emit(c, a64_branch(A64_BL, from, to));
	} else {
		emit_load_literal(c, X16, to);
		emit(c, a64_blr(X16));
	}
}

static void emit_jump(struct trampoline_code *c, unsigned long to)
{
	unsigned long from = c->address + c->at;

	if (a64_in_reach(from, to)) {
		emit(c, a64_branch(A64_B, from, to));
	} else {
		emit_load_literal(c, X16, to);
		emit(c, a64_br(X16));
	}
}

/* The address of a place, in x9, but for an offset that a load or store can have: returned. */
static unsigned int emit_place(struct trampoline_code *c, const struct host_place *place)
{
	unsigned int offset = 0;

	if (place->base == HOST_BASE_ADDRESS) {
		emit_load_literal(c, X9, place->offset);
	} else {
		emit(c, place->base == HOST_BASE_CPU ? a64_mrs_tpidr_el1(X9) : a64_mrs_sp_el0(X9));
		offset = place->offset;
		BUG_ON(offset >= 4096);		/* see base/host.h */
	}
	if (!place->pointer)
		return offset;
	emit(c, a64_ldr(X9, X9, offset));
	return 0;
}

/* ---- tests before a call ---- */

/* @opcode: cbz or cbnz of @reg, to where the call is left out and counted. */
static void emit_test_branch(struct trampoline_code *c, u32 opcode, unsigned int reg, unsigned long count)
{
	trampoline_note_test(c, count);
	emit(c, a64_cbz(opcode, reg, 0));	/* filled in by emit_left_out() */
}

static void emit_watching_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_watching_place();

	if (place.base == HOST_BASE_NONE)
		return;
	emit(c, a64_ldrb(X9, X9, emit_place(c, &place)));
	emit_test_branch(c, A64_CBZ_W, X9, count);
}

/* The guard is the lowest byte of trace_state.recursion; see core/context.h. */
static void emit_guard_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_trace_state_place();
	unsigned int offset = emit_place(c, &place);

	emit(c, a64_ldrb(X10, X9, offset));
	emit_test_branch(c, A64_CBNZ_W, X10, count);
	emit(c, a64_movz_w(X10, 1));
	emit(c, a64_strb(X10, X9, offset));
}

static void emit_guard_end(struct trampoline_code *c)
{
	const struct host_place place = host_trace_state_place();

	emit(c, a64_strb(A64_WZR, X9, emit_place(c, &place)));
}

static void fill_in_branch(struct trampoline_code *c, size_t at, size_t to)
{
	u32 insn;

	if (at + sizeof(insn) > c->room)
		return;
	memcpy(&insn, c->code + at, sizeof(insn));
	insn |= a64_cbz(0, 0, (long)(to - at));
	memcpy(c->code + at, &insn, sizeof(insn));
}

static void emit_left_out(struct trampoline_code *c, unsigned long left_out, struct trampoline_frame *frame)
{
	frame->tail_start = c->at;
	for (unsigned int i = 0; i < c->nr_tests; i++) {
		const struct trampoline_test *test = &c->tests[i];

		fill_in_branch(c, test->branch, c->at);
		emit_load_literal(c, 0, test->count);
		emit_call(c, left_out);
		emit_jump(c, c->address + test->next);
	}
	frame->tail_end = c->at;
}

/* ---- calls ---- */

/*
 * An interrupt before the store makes it start again (arch_trampoline_mend()): the
 * thread may go on on another CPU.
 */
static void emit_count(struct trampoline_code *c, unsigned long number)
{
	const struct host_counters counters = host_counters();
	unsigned int offset = number * sizeof(unsigned long);

	if (counters.place.base == HOST_BASE_CPU) {
		emit(c, a64_mrs_tpidr_el1(X10));
		offset += counters.place.offset;
	} else {
		emit_load_literal(c, X10, counters.place.offset);
	}
	emit(c, a64_ldr(X11, X10, offset));
	emit(c, A64_COUNT);
	emit(c, a64_str(X11, X10, offset));
}

/* The leaf finds the parent where a site has it. */
static void emit_leaf(struct trampoline_code *c, unsigned long leaf, const struct trampoline_frame *frame)
{
	emit(c, a64_ldr(PARENT_IN_X0 ? 0 : X9, SP, frame->parent_offset));
	emit_call(c, leaf);
}

/* func(ip, parent, arg, fregs); for the first one ip and parent are in place. */
static void emit_op(struct trampoline_code *c, const struct trampoline_call *call, bool first, bool full)
{
	int pair = full ? (int)sizeof(struct pt_regs) : PARTIAL(call);
	unsigned int first_test = c->nr_tests;

	if (call->flags & TRAMPOLINE_CALL_WATCHING)
		emit_watching_test(c, call->not_watching);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_test(c, call->recursed);
	if (!first)
		emit(c, a64_ldp(0, 1, SP, pair));
	emit_load_literal(c, 2, call->arg);
	emit(c, a64_add(3, SP, full ? FTRACE_REGS_FULL : 0));
	emit_call(c, call->func);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_end(c);
	trampoline_close_tests(c, first_test);
}

static void emit_calls(struct trampoline_code *c, const struct trampoline_spec *spec, bool full, bool block,
		       const struct trampoline_frame *frame)
{
	int pair = full ? (int)sizeof(struct pt_regs) : PARTIAL(call);

	emit(c, a64_sub(0, X30, SITE_LENGTH));
	emit(c, a64_mov(1, X9));
	if (block)
		emit(c, a64_stp(0, 1, SP, pair));
	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		const struct trampoline_call *call = &spec->calls[i];

		if (call->flags & TRAMPOLINE_CALL_COUNT)
			emit_count(c, call->arg);
		else if (call->flags & TRAMPOLINE_CALL_LEAF)
			emit_leaf(c, call->func, frame);
		else
			emit_op(c, call, i == 0, full);
	}
}

/* ---- the way out: return address and parent in x9 and x30, or as at the entry ---- */

static void emit_restore_partial(struct trampoline_code *c, bool direct)
{
	for (unsigned int x = 0; x < 8 && !PARENT_IN_X0; x += 2)
		emit(c, a64_ldp(x, x + 1, SP, PARTIAL(x[0]) + (int)x * 8));
	emit(c, a64_ldp(8, direct ? X30 : X9, SP, PARTIAL(x[8])));
	emit(c, a64_ldp_post(X29, direct ? X9 : X30, SP, (int)sizeof(struct arm64_partial_regs)));
}

static void emit_restore_full(struct trampoline_code *c, bool direct)
{
	emit(c, a64_ldp(direct ? X30 : X9, X10, SP, FULL(pc)));
	emit(c, a64_msr_nzcv(X10));
	for (unsigned int x = 0; x < 8; x += 2)
		emit(c, a64_ldp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(c, a64_ldr(8, SP, FULL(x[8])));
	for (unsigned int x = 19; x < 29; x += 2)
		emit(c, a64_ldp(x, x + 1, SP, FULL(x[0]) + (int)x * 8));
	emit(c, a64_ldp(X29, direct ? X9 : X30, SP, FULL(x[29])));
}

static void emit_epilogue(struct trampoline_code *c, bool full, unsigned long direct,
			  struct trampoline_frame *frame)
{
	if (full)
		emit_restore_full(c, direct);
	else
		emit_restore_partial(c, direct);
	frame->body_end = c->at;
	if (full)
		emit(c, a64_add(SP, SP, frame->frame_bytes));
	if (!direct) {
		emit(c, a64_ret(X9));	/* behind the site; ret needs no landing pad there */
		return;
	}
	frame->entry_again = frame->body_end;
	if (PARENT_IN_X0)
		emit(c, a64_mov(0, X9));
	emit_jump(c, direct);
}

/* ---- whole trampolines ---- */

/* Nothing is saved: x10 and x11 are dead at a function's entry. */
static void generate_counting(struct trampoline_code *c, const struct trampoline_spec *spec,
			      struct trampoline_frame *frame)
{
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		emit_count(c, spec->calls[i].arg);
	if (!PARENT_IN_X0) {
		emit(c, a64_mov(X10, X30));
		emit(c, a64_mov(X30, X9));
	}
	frame->body_start = c->at;
	frame->body_end = c->at;
	emit(c, a64_ret(PARENT_IN_X0 ? X30 : X10));
}

static void generate(struct trampoline_code *c, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;
	bool block = spec->nr_calls > 1;

	if (trampoline_only_counts(spec) && !spec->direct) {
		generate_counting(c, spec, frame);
		return;
	}
	emit_prologue(c, full, block, frame);
	emit_calls(c, spec, full, block, frame);
	emit_epilogue(c, full, spec->direct, frame);
	emit_left_out(c, spec->left_out, frame);
}

/* Once to learn where the code ends and the literals begin, once to write. */
int arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
			     u8 *code, size_t room, struct trampoline_frame *frame)
{
	struct trampoline_code measure = { .address = at };
	struct trampoline_code c = { .code = code, .room = room, .address = at };

	*frame = (struct trampoline_frame){ 0 };
	generate(&measure, spec, frame);
	c.literals = ALIGN_UP(measure.at, sizeof(unsigned long));
	generate(&c, spec, frame);
	return trampoline_size(&c, c.literals);
}

/* The window: mrs (or ldr) x10; ldr x11, [x10]; A64_COUNT; str x11, [x10]. */
void arch_trampoline_mend(struct pt_regs *regs)
{
	const u32 *at = (const u32 *)regs->pc;

	if (at[1] == A64_COUNT)
		regs->pc -= 4;
	else if (at[0] == A64_COUNT)
		regs->pc -= 8;
	else if (at[-1] == A64_COUNT)
		regs->pc -= 12;
}

/* udf #0 */
void arch_fill_traps(u8 *code, size_t len)
{
	memset(code, 0, len);
}
