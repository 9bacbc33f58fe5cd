// SPDX-License-Identifier: MIT
/*
 * What a trampoline promises on x86-64: registers, stack and return values of
 * the traced function, arguments and frame of every op.
 */
#include "tests/guest/x86_64/trampoline_check.h"

#include "tests/guest/x86_64/trampoline_probe.h"

#define ALL		TRAMPOLINE_SAVE_REGS
#define CARRY_AND_SIGN	0x87UL	/* carry, parity, sign: what the op's last sum does not leave */
#define FLAGS_KEPT	0xcd5UL	/* carry, parity, adjust, zero, sign, direction, overflow */
#define LONG_ARG	0x123456789abcdef0UL
#define TESTS		(TRAMPOLINE_CALL_GUARD | TRAMPOLINE_CALL_WATCHING)

const struct trampoline_case trampoline_cases[] = {
	{ "1 op", 1, 0, false, 0, 0 },
	{ "2 ops", 2, 0, false, 0, 0 },
	{ "4 ops", 4, 0, false, 0, 0 },
	{ "5 ops", 5, 0, false, 0, 0 },
	{ "16 ops", 16, 0, false, 0, 0 },
	{ "64 ops", 64, 0, false, 0, 0 },
	{ "all registers, 1 op", 1, ALL, false, 0, 0 },
	{ "all registers, 2 ops", 2, ALL, false, 0, 0 },
	{ "all registers, 5 ops", 5, ALL, false, 0, 0 },
	{ "all registers, 64 ops", 64, ALL, false, 0, 0 },
	{ "all registers written back, 1 op", 1, ALL, true, 0, 0 },
	{ "all registers written back, 5 ops", 5, ALL, true, 0, 0 },
	{ "guard alone, 1 op", 1, 0, false, TRAMPOLINE_CALL_GUARD, 0 },
	{ "watching alone, 2 ops", 2, 0, false, TRAMPOLINE_CALL_WATCHING, 0 },
	{ "guard, 1 op", 1, 0, false, TESTS, 0 },
	{ "guard, 6 ops", 6, 0, false, TESTS, 0 },
	{ "guard, all registers, 2 ops", 2, ALL, false, TESTS, 0 },
	{ "leaves, 1 op", 1, 0, false, 0, MORE_LEAVES },
	{ "leaves and counters, all registers, 2 ops", 2, ALL, true, 0, MORE_LEAVES | MORE_COUNTS },
	{ "counters, 2 ops", 2, 0, false, 0, MORE_COUNTS },
	{ "a counter", 0, 0, false, 0, MORE_COUNTS },
	{ "a counter, direct", 0, 0, false, 0, MORE_COUNTS | MORE_DIRECT },
	{ "direct, 1 op", 1, 0, false, 0, MORE_DIRECT },
	{ "direct, all registers, 6 ops with guards, leaves, counters", 6, ALL, true, TESTS,
	  MORE_DIRECT | MORE_LEAVES | MORE_COUNTS },
	{ "elsewhere, 1 op", 1, 0, false, 0, MORE_AWAY },
	{ "elsewhere, all registers written back, 1 op", 1, ALL, true, 0, MORE_AWAY },
	{ "elsewhere, 6 ops with guards, leaves", 6, 0, false, TESTS, MORE_AWAY | MORE_LEAVES },
};
const unsigned int nr_trampoline_cases = ARRAY_SIZE(trampoline_cases);

static const struct trampoline_case *running;
static unsigned int nr_hits;
static const char *wrong;
static unsigned long stack_argument;

static void expect(bool cond, const char *what)
{
	if (!cond && !wrong)
		wrong = what;
}

/* The second op's argument needs the long form. */
static unsigned long arg_of(unsigned int i)
{
	return i == 1 ? LONG_ARG : 0x1000 + i;
}

static unsigned long nr_left_out;
bool trampoline_left_out;
unsigned long trampoline_goes_on;

static notrace void left_out(unsigned long *count)
{
	(*count)++;
}

static unsigned int add_more(struct trampoline_call *calls, unsigned int n, unsigned int more)
{
	if (more & MORE_LEAVES)
		calls[n++] = (struct trampoline_call){ .func = (unsigned long)arch_leaf_return,
						       .flags = TRAMPOLINE_CALL_LEAF };
	if (more & MORE_COUNTS)
		calls[n++] = (struct trampoline_call){ .flags = TRAMPOLINE_CALL_COUNT };
	return n;
}

void trampoline_case_spec(const struct trampoline_case *c, struct trampoline_spec *spec)
{
	static struct trampoline_call calls[TRAMPOLINE_MAX_CALLS];
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->nr_calls; i++) {
		n = add_more(calls, n, c->more);
		calls[n++] = (struct trampoline_call){
			.func = (unsigned long)probe_op, .arg = arg_of(i), .flags = c->call_flags,
			.recursed = (unsigned long)&nr_left_out, .not_watching = (unsigned long)&nr_left_out,
		};
	}
	n = add_more(calls, n, c->more);
	*spec = (struct trampoline_spec){
		.calls = calls, .nr_calls = n, .flags = c->flags, .left_out = (unsigned long)left_out,
		.direct = c->more & MORE_DIRECT ? (unsigned long)arch_leaf_return : 0,
	};
}

static void check_all_registers(struct pt_regs *regs)
{
	const unsigned long *in = probe_in;

	expect(regs->di == in[PROBE_RDI] && regs->si == in[PROBE_RSI] && regs->dx == in[PROBE_RDX] &&
	       regs->cx == in[PROBE_RCX] && regs->r8 == in[PROBE_R8] && regs->r9 == in[PROBE_R9],
	       "pt_regs: arguments");
	expect(regs->ax == in[PROBE_RAX] && regs->r10 == in[PROBE_R10] && regs->r11 == in[PROBE_R11],
	       "pt_regs: rax, r10, r11");
	expect(regs->bx == in[PROBE_RBX] && regs->bp == in[PROBE_RBP] && regs->r12 == in[PROBE_R12] &&
	       regs->r13 == in[PROBE_R13] && regs->r14 == in[PROBE_R14] && regs->r15 == in[PROBE_R15],
	       "pt_regs: callee-saved registers");
	expect((regs->flags & FLAGS_KEPT) == (in[PROBE_FLAGS] & FLAGS_KEPT), "pt_regs: flags");
	expect(regs->ip == (unsigned long)probe_behind, "pt_regs: ip");
	expect(*(unsigned long *)regs->sp == (unsigned long)probe_parent, "pt_regs: sp");
	expect(regs->cs == X86_KERNEL_CS && regs->ss == X86_KERNEL_SS, "pt_regs: cs, ss");
}

/* The last op of the case changes them: all ops before have seen them unchanged. */
static void change_all_registers(struct pt_regs *regs)
{
	unsigned long *const words[] = {
		&regs->di, &regs->si, &regs->dx, &regs->cx, &regs->r8, &regs->r9, &regs->ax,
		&regs->r10, &regs->r11, &regs->bx, &regs->bp, &regs->r12, &regs->r13, &regs->r14,
		&regs->r15,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++)
		*words[i] = ~*words[i];
}

static void check_frame(struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned long sp = ftrace_regs_get_stack_pointer(fregs);

	for (unsigned int i = 0; i < 6; i++)
		expect(ftrace_regs_get_argument(fregs, i) == probe_in[PROBE_RDI + i], "argument");
	expect(ftrace_regs_get_return_address(fregs) == (unsigned long)probe_parent, "return address");
	expect(*(unsigned long *)sp == (unsigned long)probe_parent, "stack pointer");
	stack_argument = ftrace_regs_get_argument(fregs, 6);
	expect(stack_argument == ((unsigned long *)sp)[1], "argument on the stack");
	expect(!!regs == !!(running->flags & ALL), "ftrace_get_regs() without SAVE_REGS is NULL");
	if (!regs)
		return;
	check_all_registers(regs);
	if (running->write_back && nr_hits == running->nr_calls)
		change_all_registers(regs);
}

notrace void probe_op_c(unsigned long ip, unsigned long parent_ip, void *op, void *fregs)
{
	expect(ip == (unsigned long)probe_behind - ARCH_INSN_BYTES, "ip");
	expect(parent_ip == (unsigned long)probe_parent, "parent");
	expect((unsigned long)op == arg_of(nr_hits), "order of ops, or their argument");
	expect(probe_op_sp % 16 == 8, "stack alignment at the op");
	expect(!(probe_op_flags & X86_FLAGS_DF), "direction flag at the op");
	nr_hits++;
	check_frame(fregs);
	if (nr_hits == running->nr_calls && running->more & MORE_AWAY) {
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)probe_elsewhere);
		trampoline_goes_on = (unsigned long)probe_elsewhere;
	}
}

static void check_kept(const struct trampoline_case *c)
{
	unsigned long flip = c->write_back && !trampoline_left_out ? ~0UL : 0;
	bool elsewhere = c->more & MORE_AWAY && !trampoline_left_out;

	for (unsigned int i = PROBE_RDI; i <= PROBE_R15; i++) {
		/* r11 is dead at a function's entry. */
		if (i == PROBE_R11 && !(c->flags & ALL))
			continue;
		expect(probe_out[i] == (probe_in[i] ^ flip), "a register of the function");
	}
	if (c->flags & ALL)
		expect((probe_out[PROBE_FLAGS] & FLAGS_KEPT) == (probe_in[PROBE_FLAGS] & FLAGS_KEPT),
		       "flags of the function");
	expect(probe_returned[elsewhere] == PROBE_RETURN_RAX && probe_returned[!elsewhere] == PROBE_RETURN_RDX,
	       "return values");
	for (unsigned int i = 0; i < 6; i++)
		expect(probe_kept[i] == probe_out[PROBE_RBX + i], "a register of the caller");
	expect(probe_kept[6] == probe_out[PROBE_RSP] + 8, "stack pointer of the caller");
}

const char *trampoline_case_run(const struct trampoline_case *c, unsigned long at, unsigned long more)
{
	for (unsigned int i = 0; i < PROBE_FLAGS; i++)
		probe_in[i] = 0x0101010101010101UL * (i + 1) ^ 0x8000000012345678UL;
	probe_in[PROBE_FLAGS] = CARRY_AND_SIGN | more;
	probe_target = at;
	running = c;
	nr_hits = 0;
	nr_left_out = 0;
	wrong = NULL;
	trampoline_goes_on = (unsigned long)probe_behind;
	probe_call();
	expect(nr_hits == (trampoline_left_out ? 0 : c->nr_calls), "number of ops called");
	expect(nr_left_out == (trampoline_left_out ? c->nr_calls : 0), "number of ops left out");
	check_kept(c);
	return wrong;
}
