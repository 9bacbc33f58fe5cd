// SPDX-License-Identifier: MIT
/*
 * Thumb code has no call sites that may be patched, but it may call traced
 * functions and be an op.
 */
#include "tests/test.h"

#include "arch/arch.h"
#include "base/kallsyms.h"
#include "core/fgraph.h"
#include "core/stacktrace.h"
#include "patch/site.h"

#define thumb	__attribute__((target("thumb"))) noinline

static volatile unsigned long thumb_sink;

/* Compiled with a site of its own, of Thumb's nops. */
static thumb unsigned long thumb_traced(unsigned long a)
{
	thumb_sink = a;
	return a * 3 + 1;
}

static noinline unsigned long thumb_tracee(unsigned long a, unsigned long b)
{
	thumb_sink = b;
	return a - b;
}

static notrace thumb unsigned long thumb_caller(unsigned long a, unsigned long b)
{
	return thumb_tracee(a, b) + thumb_tracee(b, a) * 2;
}

static unsigned long op_calls, op_parent, backtrace_ok;

static bool in_function(unsigned long pc, const void *function)
{
	struct kallsym sym;

	return kallsyms_lookup(pc & ~1UL, &sym) && sym.addr == ((unsigned long)function & ~1UL);
}

/* The op, the traced function and its caller are in the backtrace, in this order. */
static notrace bool backtrace_through(const void *caller)
{
	struct stacktrace st;
	unsigned long pc;
	unsigned int found = 0;

	stacktrace_start(&st, NULL);
	while (found < 2 && stacktrace_next(&st, &pc))
		found += in_function(pc, found ? caller : (const void *)thumb_tracee);
	return found == 2 && !(pc & 1);
}

static notrace thumb void thumb_op(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				   struct ftrace_regs *fregs)
{
	op_calls++;
	op_parent = parent_ip;
	backtrace_ok += backtrace_through(op->private);
}

static struct ftrace_ops thumb_ops = { .func = thumb_op };

DEFINE_TEST(arm_thumb_site)
{
	report((unsigned long)thumb_traced & 1, "the function is Thumb code");
	report(!site_of_function((unsigned long)thumb_traced & ~1UL), "its record is refused");
	report(thumb_traced(7) == 22, "it runs as compiled");
}

static bool hook(void)
{
	int error = ftrace_set_filter_ip(&thumb_ops, (unsigned long)thumb_tracee, false, true);

	if (!error)
		error = register_ftrace_function(&thumb_ops);
	report(!error, "registered: %d", error);
	return !error;
}

/* A handler in Thumb code, and Thumb code to return to. */
static notrace thumb int thumb_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	op_calls++;
	op_parent = ftrace_regs_get_return_address(fregs);
	return 1;
}

static notrace thumb void thumb_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	op_calls++;
	thumb_sink = ret->retval;
}

DEFINE_TEST(arm_thumb_graph)
{
	static struct fgraph_ops users[2];

	if (!arch_fgraph_supported()) {
		report_skip("no function graph in this flavour");
		return;
	}
	op_calls = 0;
	for (unsigned int i = 0; i < 2; i++) {
		users[i] = (struct fgraph_ops){ .entryfunc = thumb_entry, .retfunc = thumb_return };
		report(!ftrace_set_filter_ip(&users[i].ops, (unsigned long)thumb_tracee, false, true) &&
		       !register_ftrace_graph(&users[i]), "%u users with handlers in Thumb code", i + 1);
		report(thumb_caller(9, 4) == (unsigned long)-5 && thumb_sink == (unsigned long)-5,
		       "Thumb code calls and gets its results");
		report(op_calls == (i ? 12 : 4), "%lu calls of handlers", op_calls);
		report(i || (op_parent & 1), "a lone user sees that its parent is Thumb code");
	}
	for (unsigned int i = 0; i < 2; i++) {
		report(!unregister_ftrace_graph(&users[i]), "unregistered");
		ftrace_free_filter(&users[i].ops);
	}
}

DEFINE_TEST(arm_thumb_op)
{
	if (!nr_sites()) {
		report_skip("no call sites in this flavour");
		return;
	}
	for (unsigned int regs = 0; regs < 2; regs++) {
		thumb_ops.flags = regs ? FTRACE_OPS_FL_SAVE_REGS : 0;
		thumb_ops.private = test_arm_thumb_op;
		op_calls = backtrace_ok = 0;
		if (!hook())
			return;
		report(thumb_tracee(9, 4) == 5 && op_calls == 1, "an op in Thumb code is called");
		report(backtrace_ok == 1, "... and the backtrace leads through it");
		thumb_ops.private = thumb_caller;
		report(thumb_caller(9, 4) == (unsigned long)-5 && op_calls == 3, "Thumb code calls a traced function");
		report(op_parent & 1 && in_function(op_parent, thumb_caller), "... and is the parent");
		report(backtrace_ok == 3, "... and is in the backtrace");
		report(!unregister_ftrace_function(&thumb_ops), "unregistered");
	}
	ftrace_free_filter(&thumb_ops);
}

/* What takes a site's call over, as arch_leaf_return() does, in Thumb code. It counts its calls. */
extern const u8 thumb_direct[];
unsigned long thumb_direct_calls;

__asm__(
"	.pushsection .text\n"
"	.thumb\n"
"	.thumb_func\n"
"	.global thumb_direct\n"
"	.type thumb_direct, %function\n"
"thumb_direct:\n"
"	push	{r0, r1}\n"
"	ldr	r0, =thumb_direct_calls\n"
"	ldr	r1, [r0]\n"
"	add	r1, #1\n"
"	str	r1, [r0]\n"
"	ldr	r0, [sp, #8]\n"		/* the parent */
"	mov	r1, lr\n"
"	mov	lr, r0\n"
"	str	r1, [sp, #8]\n"		/* behind the site */
"	pop	{r0, r1}\n"
"	pop	{pc}\n"
"	.ltorg\n"
"	.size thumb_direct, . - thumb_direct\n"
"	.arm\n"
"	.popsection\n"
);

static struct ftrace_ops leaf_ops = {
	.func = (ftrace_func_t)(unsigned long)arch_leaf_return,
	.flags = FTRACE_OPS_FL_LEAF,
};
static struct ftrace_ops direct_ops = {
	.func = (ftrace_func_t)(unsigned long)thumb_direct,
	.flags = FTRACE_OPS_FL_DIRECT,
};

/* The jump to it is the last instruction of a trampoline, and its address the word behind that. */
DEFINE_TEST(arm_thumb_direct)
{
	if (!nr_sites()) {
		report_skip("no call sites in this flavour");
		return;
	}
	thumb_direct_calls = 0;
	report(!ftrace_set_filter_ip(&leaf_ops, (unsigned long)thumb_tracee, false, true) &&
	       !ftrace_set_filter_ip(&direct_ops, (unsigned long)thumb_tracee, false, true) &&
	       !register_ftrace_function(&leaf_ops) && !register_ftrace_function(&direct_ops),
	       "a leaf, and Thumb code that takes the call over");
	report(thumb_tracee(9, 4) == 5 && thumb_direct_calls == 1, "%lu calls of the latter", thumb_direct_calls);
	report(!unregister_ftrace_function(&leaf_ops) && thumb_tracee(9, 4) == 5 && thumb_direct_calls == 2,
	       "and alone");
	report(!unregister_ftrace_function(&direct_ops), "unregistered");
	ftrace_free_filter(&leaf_ops);
	ftrace_free_filter(&direct_ops);
}
