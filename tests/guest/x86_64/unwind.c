// SPDX-License-Identifier: MIT
/* Backtraces on x86-64 from every instruction of functions of different shapes. */
#include "tests/test.h"
#include "tests/guest/x86_64/step.h"

#include "base/kallsyms.h"
#include "core/stacktrace.h"

#include "tests/guest/unwind_shapes.inc"

/* The flags are on the stack for an instruction. */
static noinline unsigned long shape_flags(unsigned long a, unsigned long b)
{
	unsigned long flags;

	__asm__ volatile("pushfq; popq %0" : "=r"(flags));
	return a + b * (flags & 2);
}

static noinline unsigned long call_shape(shape_fn shape, unsigned long a)
{
	probe_sink = shape(a, 7);
	barrier();
	return probe_sink;
}

static shape_fn stepped;
static unsigned int stops, wrong;

/* Entry i of a backtrace: the function it is in; behind a call that may be its last instruction. */
static bool is_in(unsigned long pc, unsigned int i, unsigned long function)
{
	struct kallsym sym;

	return kallsyms_lookup(pc - (i > 0), &sym) && sym.addr == function;
}

static unsigned long call_stepped(unsigned long a, unsigned long b)
{
	unsigned long result = call_shape(stepped, a);

	barrier();	/* no tail call */
	return result;
}

static void note_wrong(const struct pt_regs *regs, unsigned int i, unsigned long pc)
{
	char at[80], found[80];

	wrong++;
	kallsyms_format(at, sizeof(at), regs->ip);
	kallsyms_format(found, sizeof(found), pc);
	report_info("%s: caller %u is %s", at, i, found);
}

static void look_at_backtrace(const struct pt_regs *regs)
{
	const unsigned long expected[] = {
		(unsigned long)stepped, (unsigned long)call_shape, (unsigned long)call_stepped,
		(unsigned long)step_call,
	};
	struct stacktrace st;
	unsigned long pc;

	if (!is_in(regs->ip, 0, (unsigned long)stepped))
		return;
	stops++;
	stacktrace_start(&st, regs);
	for (unsigned int i = 0; i < ARRAY_SIZE(expected); i++) {
		if (stacktrace_next(&st, &pc) && is_in(pc, i, expected[i]))
			continue;
		note_wrong(regs, i, pc);
		return;
	}
}

static void check_shape(shape_fn shape, const char *name)
{
	stepped = shape;
	stops = wrong = 0;
	step_through(call_stepped, 4, look_at_backtrace);
	step_through(call_stepped, 5, look_at_backtrace);
	report(!wrong && stops >= 4, "%s: backtrace from its instructions, %u stops", name, stops);
}

#define CHECK_SHAPE(shape)	check_shape(shape, #shape)

DEFINE_TEST(x86_unwind)
{
	CHECK_SHAPE(shape_leaf);
	CHECK_SHAPE(shape_flags);
	CHECK_SHAPE(shape_calls);
	CHECK_SHAPE(shape_array);
	CHECK_SHAPE(shape_alloca);
	CHECK_SHAPE(shape_early_return);
	CHECK_SHAPE(shape_tail_call);
	CHECK_SHAPE(shape_loop);
}
