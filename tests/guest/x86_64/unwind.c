// SPDX-License-Identifier: MIT
/* Backtraces on x86-64 from every instruction of functions of different shapes. */
#include "tests/test.h"
#include "tests/guest/x86_64/step.h"

#include "base/host.h"
#include "base/kallsyms.h"
#include "base/string.h"
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

void step_taken(const struct pt_regs *regs)
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

/* ---- the interrupt table: this CPU's, with one gate of ours ---- */

struct gate {
	unsigned long low, high;
};

struct table_pointer {
	u16 limit;
	unsigned long base;
} __packed;

#define GATE_OFFSET	0xffff00000000ffffUL	/* where the address goes in a gate's first word */

static void step_through(unsigned long a)
{
	static struct gate gates[256] __aligned(16);
	struct table_pointer before, ours = { sizeof(gates) - 1, (unsigned long)gates };
	unsigned long entry = (unsigned long)step_entry, flags = host_irq_save();

	__asm__ volatile("sidt %0" : "=m"(before));
	memcpy(gates, (const void *)before.base, sizeof(gates));
	gates[1].low = (gates[1].low & ~GATE_OFFSET) | (entry & 0xffff) | (entry >> 16 & 0xffff) << 48;
	gates[1].high = entry >> 32;
	__asm__ volatile("lidt %0" : : "m"(ours) : "memory");
	step_call(call_stepped, a, 0);
	__asm__ volatile("lidt %0" : : "m"(before) : "memory");
	host_irq_restore(flags);
}

static void check_shape(shape_fn shape, const char *name)
{
	stepped = shape;
	stops = wrong = 0;
	step_through(4);
	step_through(5);
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
