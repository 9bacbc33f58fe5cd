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
 * Ops that only count need none of this: {ip, parent, address behind the site} on the
 * stack, so that one ldm returns.
 *
 * r4, which is in every frame, keeps the address of the trace state over a guarded
 * call; not in `pg` flavour. Behind the return, where the frame stands once more: for
 * each test of an op what happens when it is left out.
 *
 * unwind.c relies on this: until body_start lr is the address behind the site and
 * the site's push is where it was; from there on the frame above stands, and only
 * the block comes and goes.
 */
#include "arch/arch.h"
#include "arch/trampoline_code.h"

#include "a32.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

#define ARGUMENTS	0x000fu		/* r0 .. r3 */
#define R4		4u
#define PARTIAL_LIST	(ARGUMENTS | A32_BIT(R4) | A32_BIT(A32_IP) | A32_BIT(A32_LR))
#define FULL_LIST	0x1fffu		/* r0 .. r12 */
#define SP		A32_SP
#define LR		A32_LR
#define IP		A32_IP

#define PARTIAL(member)	offsetof(struct arm_partial_regs, member)
#define FULL(member)	offsetof(struct pt_regs, member)
#define BLOCK_BYTES	16u
#define MAX_LITERAL	4095u		/* reach of ldr, from the second next instruction */

#ifdef FLAVOUR_pg
#define ALIGN_STACK	true
#else
#define ALIGN_STACK	false
#endif

static void emit(struct trampoline_code *c, u32 insn)
{
	trampoline_emit(c, &insn, sizeof(insn));
}

static void emit_load_literal(struct trampoline_code *c, unsigned int reg, unsigned long value)
{
	size_t offset = trampoline_literal(c, value) - c->at;

	if (c->room && offset > MAX_LITERAL)
		c->error = -ENOSPC;
	emit(c, a32_ldr_literal(reg, offset & 0xfff));
}

static void emit_save_partial(struct trampoline_code *c)
{
	emit(c, a32_push(PARTIAL_LIST));
	emit(c, a32_ldr(1, SP, PARTIAL(site_end)));	/* the parent, as pushed */
	emit(c, a32_str(1, SP, PARTIAL(parent)));
	if (ALIGN_STACK)
		emit(c, a32_mov(R4, SP));
	emit(c, a32_str(LR, SP, PARTIAL(site_end)));
}

static void emit_save_full(struct trampoline_code *c)
{
	emit(c, a32_sub(SP, SP, FULL(pad)));
	emit(c, a32_stm(SP, FULL_LIST));
	if (ALIGN_STACK)
		emit(c, a32_mov(R4, SP));
	emit(c, a32_add(0, SP, sizeof(struct pt_regs)));
	emit(c, a32_ldr(1, SP, FULL(pad)));		/* the parent, as pushed */
	emit(c, a32_mov(2, LR));
	emit(c, a32_mrs_cpsr(3));
	emit(c, a32_add(IP, SP, FULL(sp)));
	emit(c, a32_stm(IP, ARGUMENTS));		/* sp, lr, pc, cpsr */
}

static void emit_prologue(struct trampoline_code *c, bool full, struct trampoline_frame *frame)
{
	if (full)
		emit_save_full(c);
	else
		emit_save_partial(c);
	frame->frame_bytes = full ? sizeof(struct pt_regs) : sizeof(struct arm_partial_regs);
	frame->ret_offset = full ? FULL(pc) : PARTIAL(site_end);
	frame->parent_offset = full ? FULL(pad) : PARTIAL(parent);
	frame->body_start = c->at;
}

/* An op may be Thumb code: blx changes state, bl does not. */
static void emit_call(struct trampoline_code *c, unsigned long to)
{
	unsigned long from = c->address + c->at;

	if (a32_in_reach(from, to)) {
		emit(c, a32_branch(A32_BL, from, to));
	} else {
		emit_load_literal(c, IP, to);
		emit(c, a32_blx(IP));
	}
}

static void emit_jump(struct trampoline_code *c, unsigned long to)
{
	unsigned long from = c->address + c->at;

	if (!(to & 1) && a32_in_reach(from, to)) {
		emit(c, a32_branch(A32_B, from, to));
	} else {
		emit_load_literal(c, A32_PC, to);
	}
}

/* The address of a place, in @reg. */
static void emit_place(struct trampoline_code *c, unsigned int reg, const struct host_place *place)
{
	emit_load_literal(c, reg, place->offset);
	if (place->pointer)
		emit(c, a32_ldr(reg, reg, 0));
}

/* ---- tests before a call: ip and lr are free ---- */

/* If equal, to where the call is left out and counted. */
static void emit_test_branch(struct trampoline_code *c, unsigned long count)
{
	trampoline_note_test(c, count);
	emit(c, A32_BEQ);	/* filled in by emit_left_out() */
}

static void emit_watching_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_watching_place();

	if (place.base == HOST_BASE_NONE)
		return;
	emit_place(c, IP, &place);
	emit(c, a32_ldrb(IP, IP, 0));
	emit(c, a32_cmp_value(IP, 0));
	emit_test_branch(c, count);
}

#define STATE	(ALIGN_STACK ? IP : R4)

/* The guard is the lowest byte of trace_state.recursion, 0 or 1; see core/context.h. */
static void emit_guard_test(struct trampoline_code *c, unsigned long count)
{
	const struct host_place place = host_trace_state_place();

	emit_place(c, STATE, &place);
	emit(c, a32_ldrb(LR, STATE, 0));
	emit(c, a32_rsbs(LR, LR, 1));
	emit_test_branch(c, count);
	emit(c, a32_strb(LR, STATE, 0));
}

static void emit_guard_end(struct trampoline_code *c)
{
	const struct host_place place = host_trace_state_place();

	if (ALIGN_STACK)
		emit_place(c, STATE, &place);
	emit(c, a32_mov_value(LR, 0));
	emit(c, a32_strb(LR, STATE, 0));
}

static void fill_in_branch(struct trampoline_code *c, size_t at, size_t to)
{
	u32 insn = a32_branch(A32_BEQ, c->address + at, c->address + to);

	trampoline_put(c, at, &insn, sizeof(insn));
}

static void emit_left_out(struct trampoline_code *c, unsigned long left_out, struct trampoline_frame *frame)
{
	frame->tail_start = c->at;
	for (unsigned int i = 0; i < c->nr_tests; i++) {
		const struct trampoline_test *test = &c->tests[i];

		fill_in_branch(c, test->branch, c->at);
		emit_load_literal(c, 0, test->count);
		emit_call(c, left_out);
		emit(c, a32_branch(A32_B, c->address + c->at, c->address + test->next));
	}
	frame->tail_end = c->at;
}

/* ---- calls ---- */

/* An interrupt before the store makes it start again: see arch_trampoline_mend(). */
static void emit_count(struct trampoline_code *c, unsigned long number)
{
	const struct host_counters counters = host_counters();

	emit_load_literal(c, IP, counters.place.offset + number * sizeof(unsigned long));
	emit(c, a32_ldr(LR, IP, 0));
	emit(c, A32_COUNT);
	emit(c, a32_str(LR, IP, 0));
}

/* The leaf finds the parent pushed, as a site does it, and takes it off. */
static void emit_leaf(struct trampoline_code *c, unsigned long leaf, bool block,
		      const struct trampoline_frame *frame)
{
	unsigned int offset = frame->parent_offset + (block && !ALIGN_STACK ? BLOCK_BYTES : 0);

	emit(c, a32_ldr(LR, ALIGN_STACK ? R4 : SP, offset));
	emit(c, A32_PUSH_LR);
	emit_call(c, leaf);
}

/*
 * func(ip, parent, arg, fregs); for the first one r0 to r3 are in place.
 * @block: {ip, parent, arg, fregs} lies at sp, and @last takes it down
 */
static void emit_op(struct trampoline_code *c, const struct trampoline_call *call, bool first, bool last,
		    bool block)
{
	unsigned int first_test = c->nr_tests;

	if (!first)
		emit(c, last ? a32_pop(ARGUMENTS) : a32_ldm_sp(ARGUMENTS));
	else if (block && last)
		emit(c, a32_add(SP, SP, BLOCK_BYTES));
	if (call->flags & TRAMPOLINE_CALL_WATCHING)
		emit_watching_test(c, call->not_watching);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_test(c, call->recursed);
	if (!first)
		emit_load_literal(c, 2, call->arg);
	emit_call(c, call->func);
	if (call->flags & TRAMPOLINE_CALL_GUARD)
		emit_guard_end(c);
	trampoline_close_tests(c, first_test);
}

static bool is_op(const struct trampoline_call *call)
{
	return !(call->flags & (TRAMPOLINE_CALL_COUNT | TRAMPOLINE_CALL_LEAF));
}

static unsigned int count_ops(const struct trampoline_spec *spec, const struct trampoline_call **first)
{
	unsigned int n = 0;

	*first = NULL;
	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		if (!is_op(&spec->calls[i]))
			continue;
		if (!n++)
			*first = &spec->calls[i];
	}
	return n;
}

/* The prologue left the parent in r1. */
static void emit_calls(struct trampoline_code *c, const struct trampoline_spec *spec, bool full,
		       const struct trampoline_frame *frame)
{
	const struct trampoline_call *first;
	unsigned int n = count_ops(spec, &first), done = 0;
	bool block = n > 1;

	if (first) {
		emit(c, a32_sub(0, LR, SITE_LENGTH));
		emit_load_literal(c, 2, first->arg);
		emit(c, a32_add(3, SP, full ? FTRACE_REGS_FULL : 0));
	}
	if (ALIGN_STACK)
		emit(c, a32_bic(SP, SP, 7));
	if (block)
		emit(c, a32_push(ARGUMENTS));
	for (unsigned int i = 0; i < spec->nr_calls; i++) {
		const struct trampoline_call *call = &spec->calls[i];

		if (call->flags & TRAMPOLINE_CALL_COUNT) {
			emit_count(c, call->arg);
		} else if (call->flags & TRAMPOLINE_CALL_LEAF) {
			emit_leaf(c, call->func, block && done < n, frame);
		} else {
			done++;
			emit_op(c, call, done == 1, done == n, block);
		}
	}
}

/* ---- the way out ---- */

static void emit_return_partial(struct trampoline_code *c, unsigned long direct)
{
	if (!direct) {
		emit(c, a32_pop(PARTIAL_LIST | A32_BIT(A32_PC)));
		return;
	}
	emit(c, a32_pop(PARTIAL_LIST & ~A32_BIT(LR)));
	emit(c, A32_POP_LR);
	emit(c, A32_SWAP_LR);
	emit_jump(c, direct);
}

static void emit_return_full(struct trampoline_code *c, unsigned long direct)
{
	emit(c, a32_ldr(2, SP, FULL(cpsr)));
	emit(c, a32_msr_flags(2));
	if (!direct) {
		emit(c, a32_ldm_sp(FULL_LIST | A32_BIT(SP) | A32_BIT(LR) | A32_BIT(A32_PC)));
		return;
	}
	emit(c, a32_ldr(LR, SP, FULL(lr)));
	emit(c, a32_str(LR, SP, FULL(pad)));
	emit(c, a32_ldr(LR, SP, FULL(pc)));
	emit(c, a32_ldm_sp(FULL_LIST));
	emit(c, a32_add(SP, SP, FULL(pad)));
	emit_jump(c, direct);
}

static void emit_epilogue(struct trampoline_code *c, bool full, unsigned long direct,
			  struct trampoline_frame *frame)
{
	if (ALIGN_STACK)
		emit(c, a32_mov(SP, R4));
	if (full)
		emit_return_full(c, direct);
	else
		emit_return_partial(c, direct);
	frame->body_end = c->at;
	frame->entry_again = direct ? c->at : 0;
}

/* ---- whole trampolines ---- */

static void generate_counting(struct trampoline_code *c, const struct trampoline_spec *spec,
			      struct trampoline_frame *frame)
{
	emit(c, A32_SWAP_LR);
	emit(c, a32_push(A32_BIT(IP) | A32_BIT(LR)));
	frame->body_start = c->at;
	frame->parent_offset = 4;
	frame->ret_offset = 8;
	frame->frame_bytes = 12;
	for (unsigned int i = 0; i < spec->nr_calls; i++)
		emit_count(c, spec->calls[i].arg);
	emit(c, a32_pop(A32_BIT(IP) | A32_BIT(LR) | A32_BIT(A32_PC)));
	frame->body_end = c->at;
}

static void generate(struct trampoline_code *c, const struct trampoline_spec *spec,
		     struct trampoline_frame *frame)
{
	bool full = spec->flags & TRAMPOLINE_SAVE_REGS;

	if (trampoline_only_counts(spec) && !spec->direct) {
		generate_counting(c, spec, frame);
		return;
	}
	emit_prologue(c, full, frame);
	emit_calls(c, spec, full, frame);
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
	c.literals = measure.at;
	generate(&c, spec, frame);
	return trampoline_size(&c, c.literals);
}

/* The window: ldr lr, [ip]; A32_COUNT; str lr, [ip]. */
void arch_trampoline_mend(struct pt_regs *regs)
{
	const u32 *at = (const u32 *)regs->pc;

	if (at[0] == A32_COUNT)
		regs->pc -= 4;
	else if (at[-1] == A32_COUNT)
		regs->pc -= 8;
}

void arch_fill_traps(u8 *code, size_t len)
{
	u32 trap = A32_TRAP;

	for (; len >= sizeof(trap); code += sizeof(trap), len -= sizeof(trap))
		memcpy(code, &trap, sizeof(trap));
}
