// SPDX-License-Identifier: MIT
/*
 * Trampolines, sites and unwinding, looked at register by register; included by
 * tests/guest/<isa>/trampolines.c behind its <isa>/probe.h. The assembly is in
 * <isa>/probe.S:
 *
 *	probe_call() -> probe_function(), which has a site -> trampoline -> probe_op()
 *
 * A branch to probe_capture(), put in place of an instruction, stops there.
 */
#pragma once

#include "tests/test.h"

#include "arch/arch.h"
#include "base/errno.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "core/stacktrace.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

struct probe_regs {
	unsigned long word[PROBE_WORDS];
};

/* probe.S */
void probe_call(const struct probe_regs *in, struct probe_regs *out, unsigned long target,
		unsigned long between);
void probe_function(void);
void probe_op(unsigned long ip, unsigned long parent, struct ftrace_ops *op, struct ftrace_regs *fregs);
void probe_capture(void);
/* Calls fn(shape, a) with a way back from probe_capture(). */
void probe_call_c(void (*fn)(unsigned long (*shape)(unsigned long, unsigned long), unsigned long),
		  unsigned long (*shape)(unsigned long, unsigned long), unsigned long a);
extern char probe_site[], probe_site_end[], probe_return[];

/* For probe.S. */
struct probe_regs probe_seen, probe_captured;
void probe_op_check(unsigned long ip, unsigned long parent, struct ftrace_ops *op,
		    struct ftrace_regs *fregs, unsigned long sp);
void probe_capture_check(void);

#define MAX_PROBE_OPS	16
#define MAX_CODE_BYTES	2048
#define RETURNED_0	((unsigned long)0x1111222233334444ULL)
#define RETURNED_1	((unsigned long)0x5555666677778888ULL)

static struct ftrace_ops probe_ops[MAX_PROBE_OPS];
static struct probe_regs probe_in, probe_out;
static unsigned int op_calls;
static unsigned int problems;		/* beyond the first they are only counted */
static bool expect_regs;		/* the trampoline saves every register */
static bool change_regs;		/* the op is to change them */
static bool in_pieces;			/* a word of code is replaced: unwinders read it */

static void problem(const char *what, unsigned long got, unsigned long expected)
{
	if (!problems++)
		report_info("%s: 0x%lx, expected 0x%lx", what, got, expected);
}

static void expect(const char *what, unsigned long got, unsigned long expected)
{
	if (got != expected)
		problem(what, got, expected);
}

/* ---- backtraces ---- */

#define MAX_INNER	8	/* functions between the walker and the first that is expected */

static unsigned long chain[6];	/* functions a backtrace must go through, 0 at its end */

static void expect_chain(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	const unsigned long functions[] = { a, b, c, d };

	memcpy(chain, functions, sizeof(functions));
}

/* Start of the function or trampoline that holds a backtrace's pc. */
static unsigned long function_of(unsigned long pc, bool exact)
{
	unsigned long at = exact ? pc : pc - 1;
	const struct code_block *block = code_pool_find(at);
	struct kallsym sym;

	if (block)
		return block->start;
	return kallsyms_lookup(at, &sym) ? sym.addr : pc;
}

/* Here (NULL) or in an interrupted context: from the chain's first function on, all must follow. */
static void check_backtrace(const struct pt_regs *regs)
{
	struct stacktrace st;
	unsigned long pc = 0, function = 0;
	unsigned int inner = 0, n = 0;

	stacktrace_start(&st, regs);
	while (chain[n] && stacktrace_next(&st, &pc)) {
		function = function_of(pc, st.exact);
		if (function == chain[n])
			n++;
		else if (n || ++inner > MAX_INNER)
			break;
	}
	if (chain[n])
		problem("function in the backtrace", function, chain[n]);
}

/* ---- the op ---- */

static void check_all_registers(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);

	expect("fregs has all registers", !!regs, expect_regs);
	for (unsigned int i = 0; regs && i < PROBE_GENERAL; i++) {
		if (probe_is_kept(i))
			expect("register in pt_regs", *probe_slot(regs, i), probe_in.word[i]);
		if (change_regs && probe_is_changeable(i))
			*probe_slot(regs, i) = ~probe_in.word[i];
	}
	if (!regs)
		return;
	expect("flags in pt_regs", *probe_slot(regs, PROBE_FLAGS) & PROBE_FLAGS_MASK,
	       probe_in.word[PROBE_FLAGS] & PROBE_FLAGS_MASK);
	if (change_regs)
		*probe_slot(regs, PROBE_FLAGS) ^= PROBE_FLAGS_MASK;
}

void probe_op_check(unsigned long ip, unsigned long parent, struct ftrace_ops *op,
		    struct ftrace_regs *fregs, unsigned long sp)
{
	expect("ip", ip, (unsigned long)probe_site);
	expect("parent", parent, (unsigned long)probe_return);
	expect("op", (unsigned long)op, (unsigned long)&probe_ops[op_calls]);
	expect("stack alignment at the op", sp % PROBE_STACK_ALIGN, 0);
	expect("return address in fregs", ftrace_regs_get_return_address(fregs),
	       (unsigned long)probe_return);
	for (unsigned int i = 0; i < PROBE_ARGUMENTS; i++)
		if (probe_is_kept(i))
			expect("argument in fregs", ftrace_regs_get_argument(fregs, i),
			       probe_in.word[i]);
	check_all_registers(fregs);
	if (!in_pieces)
		check_backtrace(NULL);
	op_calls++;
}

/* ---- registers through the whole call ---- */

/* Different in every register and every run, with bits in all bytes. */
static void fill_registers(void)
{
	static u64 seed = 1;

	for (unsigned int i = 0; i < PROBE_WORDS; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		probe_in.word[i] = (unsigned long)(seed ^ seed >> 29);
	}
	memset(&probe_seen, 0, sizeof(probe_seen));
	memset(&probe_out, 0, sizeof(probe_out));
}

static noinline void call_probe(unsigned long target, unsigned long between)
{
	op_calls = 0;
	fill_registers();
	probe_call(&probe_in, &probe_out, target, between);
	barrier();	/* no tail call: it must be in the backtrace */
}

static void check_registers(bool flags_kept)
{
	for (unsigned int i = 0; i < PROBE_GENERAL; i++) {
		if (probe_is_kept(i))
			expect("register in the function", probe_seen.word[i], probe_in.word[i]);
		if (probe_is_callee_saved(i))
			expect("register after the call", probe_out.word[i], probe_in.word[i]);
	}
	if (flags_kept)
		expect("flags in the function", probe_seen.word[PROBE_FLAGS] & PROBE_FLAGS_MASK,
		       probe_in.word[PROBE_FLAGS] & PROBE_FLAGS_MASK);
#ifndef FLAVOUR_pg
	expect("return address in the function", probe_seen.word[PROBE_LR],
	       (unsigned long)probe_return);
#endif
	expect("sp in the function", probe_seen.word[PROBE_SP],
	       probe_out.word[PROBE_SP] - PROBE_FUNCTION_BYTES);
	expect("returned value", probe_out.word[0], RETURNED_0);
	expect("returned value, second word", probe_out.word[1], RETURNED_1);
}

/* ---- trampolines ---- */

static struct code_block *new_block(void)
{
	struct code_block *block = code_pool_alloc(MAX_CODE_BYTES, "probe trampoline");

	report(block, "room in the code pool");
	return block;
}

/*
 * Write a trampoline that calls the first @nr_ops ops.
 * @stop_at: the word that becomes a branch to probe_capture(), -1 for none
 * Return: words of code.
 */
static unsigned int write_trampoline(struct code_block *block, unsigned int nr_ops, bool regs,
				     int stop_at)
{
	static u8 code[MAX_CODE_BYTES];
	static struct trampoline_call calls[MAX_PROBE_OPS];
	struct trampoline_spec spec = { calls, nr_ops, regs ? TRAMPOLINE_SAVE_REGS : 0 };
	int size;

	for (unsigned int i = 0; i < nr_ops; i++)
		calls[i] = (struct trampoline_call){ (unsigned long)probe_op, (unsigned long)&probe_ops[i] };
	size = arch_trampoline_generate(&spec, block->start, code, sizeof(code), &block->frame);
	if (size < 0) {
		problem("trampoline", (unsigned long)size, 0);
		return 0;
	}
	if (stop_at >= 0 && arch_insn_jump(code + stop_at * 4, block->start + (unsigned int)stop_at * 4,
					   (unsigned long)probe_capture))
		problem("branch out of reach", block->start, (unsigned long)probe_capture);
	block->flags |= CODE_TRAMPOLINE;
	code_pool_write(block, code, (size_t)size);
	code_pool_publish();
	expect_regs = regs;
	return probe_code_words(block->frame.body_end, regs);
}

static void set_site(unsigned long target)
{
	struct dyn_ftrace *rec = site_find((unsigned long)probe_site);
	int error = text_poke_begin();

	if (!error) {
		error = site_queue(rec, target);
		if (error)
			text_poke_abort();
		else
			error = text_poke_commit();
	}
	expect("site changed", (unsigned long)error, 0);
}

static bool have_site(void)
{
	if (site_find((unsigned long)probe_site))
		return true;
	report_skip("no call site in this flavour");
	return false;
}

static void expect_trampoline(const struct code_block *block)
{
	expect_chain(block->start, (unsigned long)probe_function, (unsigned long)probe_call,
		     (unsigned long)call_probe);
}

static void check_kind(struct code_block *block, unsigned int nr_ops, bool regs)
{
	problems = 0;
	write_trampoline(block, nr_ops, regs, -1);
	expect_trampoline(block);
	set_site(block->start);
	for (unsigned int i = 0; i < 3; i++) {
		call_probe((unsigned long)probe_function, 0);
		expect("calls of the ops", op_calls, nr_ops);
		check_registers(regs);
	}
	set_site(0);
	call_probe((unsigned long)probe_function, 0);
	expect("calls of the ops when off", op_calls, 0);
	check_registers(true);
	report(!problems, "%u ops%s: every register, ip, parent, stack, return values, backtrace",
	       nr_ops, regs ? ", all registers" : "");
}

static const unsigned int ops_counts[] = { 1, 2, 3, 10, 16 };

DEFINE_TEST(trampoline_registers)
{
	struct code_block *block;

	if (!have_site())
		return;
	block = new_block();
	for (unsigned int i = 0; i < ARRAY_SIZE(ops_counts); i++) {
		check_kind(block, ops_counts[i], false);
		check_kind(block, ops_counts[i], true);
	}
	code_pool_free(block);
}

/* What an op writes to pt_regs is what the function goes on with. */
DEFINE_TEST(trampoline_changes)
{
	struct code_block *block;

	if (!have_site())
		return;
	block = new_block();
	problems = 0;
	write_trampoline(block, 1, true, -1);
	expect_trampoline(block);
	set_site(block->start);
	change_regs = true;
	call_probe((unsigned long)probe_function, 0);
	change_regs = false;
	set_site(0);
	expect("calls of the ops", op_calls, 1);
	for (unsigned int i = 0; i < PROBE_GENERAL; i++)
		if (probe_is_changeable(i))
			expect("register in the function", probe_seen.word[i], ~probe_in.word[i]);
	expect("flags in the function", probe_seen.word[PROBE_FLAGS] & PROBE_FLAGS_MASK,
	       ~probe_in.word[PROBE_FLAGS] & PROBE_FLAGS_MASK);
	report(!problems, "an op's changes of registers are taken over");
	code_pool_free(block);
}

static bool calls_by_register(const u8 *code, int size, unsigned long func)
{
	bool call = false, literal = false;
	unsigned long value;
	u32 insn;

	for (int at = 0; at + (int)sizeof(value) <= size; at += 4) {
		memcpy(&insn, code + at, sizeof(insn));
		memcpy(&value, code + at, sizeof(value));
		call |= insn == PROBE_CALL_BY_REGISTER;
		literal |= value == func;
	}
	return call && literal;
}

DEFINE_TEST(trampoline_limits)
{
	struct trampoline_call call = { (unsigned long)probe_op, 1 };
	struct trampoline_spec spec = { &call, 1, 0 };
	unsigned long at = ALIGN_DOWN((unsigned long)probe_op, 16UL);
	static u8 code[MAX_CODE_BYTES];
	struct trampoline_frame frame;
	int size = arch_trampoline_generate(&spec, at, code, sizeof(code), &frame), far;
	bool refused = true;

	report(size > 0 && !calls_by_register(code, size, call.func), "an op in reach is called by a branch");
	for (int room = 0; room < size; room += 4)
		refused &= arch_trampoline_generate(&spec, at, code, (size_t)room, &frame) == -ENOSPC;
	report(refused, "-ENOSPC whenever there is less room");
	call.func = at + 4 * ARCH_BRANCH_REACH;
	far = arch_trampoline_generate(&spec, at, code, sizeof(code), &frame);
	report(far > size && calls_by_register(code, far, call.func),
	       "an op out of reach is called by its address");
}

/* ---- what is no site ---- */

DEFINE_TEST(site_refusals)
{
	struct kallsym sym;

	if (!kallsyms_lookup((unsigned long)probe_function, &sym)) {
		report(false, "no symbol");
		return;
	}
	report(arch_site_check(sym.addr - 4, &sym) == -EINVAL, "a record in front of its function");
	report(arch_site_check((unsigned long)probe_site_end, &sym) == -EINVAL, "one in its middle");
	report(arch_site_check(sym.addr + sym.size - 4, &sym) == -EINVAL, "one that ends behind it");
	report(arch_site_check(sym.addr + 2, &sym), "one between two instructions");
	report(arch_site_check((unsigned long)probe_site, &sym) == -EINVAL, "one whose bytes are not as compiled");
}

/* ---- contexts that stand between the words of a site ---- */

/* The site goes from @from to @to while a context stands in front of its second word. */
static void check_between(const char *what, unsigned long from, unsigned long to)
{
	problems = 0;
	set_site(from);
	set_site(to);
	call_probe((unsigned long)probe_site + 4, 1);
	expect("calls of the op", op_calls, to != 0);
	check_registers(false);
	report(!problems, "stopped between the words, then %s", what);
}

DEFINE_TEST(site_between_words)
{
	struct code_block *one, *other;

	if (!have_site())
		return;
	if (probe_site_end - probe_site == 4) {
		report_skip("the site is one word");
		return;
	}
	one = new_block();
	other = new_block();
	chain[0] = 0;
	write_trampoline(one, 1, false, -1);
	write_trampoline(other, 1, false, -1);
	check_between("off, still off", 0, 0);
	check_between("off -> on", 0, one->start);
	check_between("call -> call", one->start, other->start);
	check_between("on -> off", other->start, 0);
	code_pool_free(one);
	code_pool_free(other);
}

/* ---- backtraces from every instruction of a trampoline ---- */

static unsigned long stopped_at;	/* where a branch to probe_capture() was put */
static unsigned int stops;
static void (*put_back)(void);		/* what the branch replaced */

void probe_capture_check(void)
{
	struct pt_regs regs;

	for (unsigned int i = 0; i < PROBE_WORDS; i++)
		*probe_slot(&regs, i) = probe_captured.word[i];
	regs.pc = stopped_at;
	stops++;
	put_back();
	check_backtrace(&regs);
}

static void note_stop(unsigned int before, unsigned long start)
{
	if (problems && !before)
		report_info("... stopped at +0x%lx", stopped_at - start);
}

static struct {
	struct code_block *block;
	unsigned int nr_ops;
	bool regs;
} whole;

static void put_back_trampoline(void)
{
	write_trampoline(whole.block, whole.nr_ops, whole.regs, -1);
}

static void check_trampoline_unwind(struct code_block *block, unsigned int nr_ops, bool regs)
{
	unsigned int words = write_trampoline(block, nr_ops, regs, -1);

	whole.block = block;
	whole.nr_ops = nr_ops;
	whole.regs = regs;
	put_back = put_back_trampoline;
	problems = stops = 0;
	expect_trampoline(block);
	for (unsigned int i = 0; i < words; i++) {
		unsigned int before = problems;

		write_trampoline(block, nr_ops, regs, (int)i);
		in_pieces = true;
		stopped_at = block->start + i * 4;
		set_site(block->start);
		call_probe((unsigned long)probe_function, 0);
		set_site(0);
		in_pieces = false;
		note_stop(before, block->start);
	}
	expect("stops", stops, words);
	report(!problems, "%u ops%s: backtrace from each of %u instructions", nr_ops,
	       regs ? ", all registers" : "", words);
}

DEFINE_TEST(unwind_trampoline)
{
	struct code_block *block;

	if (!have_site())
		return;
	block = new_block();
	for (unsigned int i = 0; i < 3; i++) {
		check_trampoline_unwind(block, ops_counts[i], false);
		check_trampoline_unwind(block, ops_counts[i], true);
	}
	code_pool_free(block);
}

static int swap_word(unsigned long addr, const u8 *old, const u8 *new)
{
	int error = text_poke_begin();

	if (error)
		return error;
	error = text_poke_queue(addr, old, new, ARCH_INSN_BYTES);
	if (error) {
		text_poke_abort();
		return error;
	}
	return text_poke_commit();
}

static u8 whole_word[ARCH_INSN_BYTES], stop_jump[ARCH_INSN_BYTES];

static void put_back_word(void)
{
	expect("branch removed", (unsigned long)swap_word(stopped_at, stop_jump, whole_word), 0);
}

/* Put a branch to probe_capture() where stopped_at is. */
static void put_stop(void)
{
	memcpy(whole_word, (const void *)stopped_at, sizeof(whole_word));
	expect("branch in reach", (unsigned long)arch_insn_jump(stop_jump, stopped_at,
								(unsigned long)probe_capture), 0);
	expect("branch written", (unsigned long)swap_word(stopped_at, whole_word, stop_jump), 0);
	put_back = put_back_word;
}

/* ---- ... of a site ---- */

/* Stop at @addr on the way through the site, whose trampoline, when on, is @block. */
static void check_stop(unsigned long addr, const struct code_block *block, unsigned long between)
{
	unsigned int before = stops, problems_before = problems;

	set_site(block ? block->start : 0);
	stopped_at = addr;
	put_stop();
	in_pieces = true;
	call_probe(between ? (unsigned long)probe_site + 4 : (unsigned long)probe_function, between);
	in_pieces = false;
	if (stops == before)
		put_back_word();
	set_site(0);
	note_stop(problems_before, (unsigned long)probe_site);
}

DEFINE_TEST(unwind_site)
{
	struct code_block *block;
	unsigned long second = (unsigned long)probe_site + 4, end = (unsigned long)probe_site_end;

	if (!have_site())
		return;
	block = new_block();
	chain[0] = 0;
	write_trampoline(block, 1, false, -1);
	expect_chain((unsigned long)probe_function, (unsigned long)probe_call,
		     (unsigned long)call_probe, 0);
	problems = stops = 0;
	for (unsigned long addr = (unsigned long)probe_function; addr <= end + 4; addr += 4) {
		check_stop(addr, NULL, 0);
		check_stop(addr, block, 0);
		if (addr < second || second == end)
			continue;
		check_stop(addr, NULL, 1);
		check_stop(addr, block, 1);
	}
	report(!problems && stops >= 6, "backtrace from the site and around it, %u stops", stops);
	code_pool_free(block);
}

/* ---- ... of functions ---- */

/* Functions of different shapes, whose every instruction we stop at. */
volatile unsigned long probe_sink;

notrace static noinline unsigned long callee(unsigned long a)
{
	probe_sink = a;
	return a + 1;
}

static noinline unsigned long shape_leaf(unsigned long a, unsigned long b)
{
	return a * 3 + b;
}

static noinline unsigned long shape_calls(unsigned long a, unsigned long b)
{
	return callee(a) + callee(b) * 7;
}

static noinline unsigned long shape_array(unsigned long a, unsigned long b)
{
	volatile unsigned long array[40];

	array[a & 31] = b;
	return callee(array[a & 31]) + array[b & 31];
}

static noinline unsigned long shape_alloca(unsigned long a, unsigned long b)
{
	volatile unsigned long *array = __builtin_alloca((a & 31) * sizeof(a) + 16);

	array[0] = b;
	return callee(array[0]) + b;
}

static noinline unsigned long shape_early_return(unsigned long a, unsigned long b)
{
	if (a & 1)
		return b;
	return callee(a) + callee(b);
}

static noinline unsigned long shape_tail_call(unsigned long a, unsigned long b)
{
	probe_sink = callee(b);
	return callee(a);
}

static noinline unsigned long shape_loop(unsigned long a, unsigned long b)
{
	for (unsigned long i = 0; i < (a & 3) + 1; i++)
		b += callee(i);
	return b;
}

typedef unsigned long (*shape_fn)(unsigned long a, unsigned long b);

static noinline void call_shape(shape_fn shape, unsigned long a)
{
	probe_sink = shape(a, probe_sink);
	barrier();
}

static noinline void call_and_return_here(shape_fn shape, unsigned long a)
{
	probe_call_c(call_shape, shape, a);
	barrier();
}

static void stop_at_word(shape_fn shape, unsigned long a)
{
	unsigned int before = stops;

	put_stop();
	call_and_return_here(shape, a);
	if (stops == before)
		put_back_word();
}

static void check_shape(shape_fn shape, const char *name)
{
	struct kallsym sym;

	problems = stops = 0;
	if (!kallsyms_lookup((unsigned long)shape, &sym)) {
		report(false, "%s: no symbol", name);
		return;
	}
	expect_chain(sym.addr, (unsigned long)call_shape, (unsigned long)probe_call_c,
		     (unsigned long)call_and_return_here);
	for (stopped_at = sym.addr; stopped_at < sym.addr + sym.size; stopped_at += ARCH_INSN_BYTES) {
		unsigned int before = problems;

		if (probe_is_constant(sym.addr, sym.addr + sym.size, stopped_at))
			continue;
		stop_at_word(shape, 4);
		stop_at_word(shape, 5);
		note_stop(before, sym.addr);
	}
	report(!problems && stops >= sym.size / 8, "%s: backtrace from its instructions, %u stops", name, stops);
}

#define CHECK_SHAPE(shape)	check_shape(shape, #shape)

DEFINE_TEST(unwind_function)
{
	CHECK_SHAPE(shape_leaf);
	CHECK_SHAPE(shape_calls);
	CHECK_SHAPE(shape_array);
	CHECK_SHAPE(shape_alloca);
	CHECK_SHAPE(shape_early_return);
	CHECK_SHAPE(shape_tail_call);
	CHECK_SHAPE(shape_loop);
}
