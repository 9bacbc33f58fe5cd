// SPDX-License-Identifier: MIT
/*
 * Traced functions of every shape: arguments in registers and on the stack,
 * variadic, 64-bit, structs by value, hidden pointers, tail calls.
 * Each call gets its arguments and gives back its result under every kind of hook.
 */
#include "tests/guest/calls.h"
#include "tests/guest/spoil.h"

#include "tests/test.h"

#include "base/string.h"
#include "core/fgraph.h"
#include "kernel/cmdline.h"
#include "patch/text_poke.h"

/* An op that itself uses registers, and leaves nothing in any. */
static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	unsigned long *hits = op->private;
	unsigned long sum = 0;

	for (unsigned int i = 0; i < 4; i++)
		sum += ftrace_regs_get_argument(fregs, i) ^ ip ^ parent_ip;
	WRITE_ONCE(*hits, *hits + 1);
	__asm__ volatile("" : : "r"(sum));
	spoil_registers();
}

notrace void calls_copy(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	unsigned long from[32] = { ip, parent_ip }, to[32];

	memcpy(to, from, sizeof(to));
	__asm__ volatile("" : : "r"(to) : "memory");
	++*(unsigned long *)op->private;
}

static unsigned long hits[CALLS_MAX_OPS];
static struct ftrace_ops ops[CALLS_MAX_OPS];

static int hook(unsigned int nr, unsigned int flags)
{
	int err = 0;

	for (unsigned int i = 0; i < nr && !err; i++) {
		hits[i] = 0;
		ops[i] = (struct ftrace_ops){ .func = count, .private = &hits[i], .flags = flags };
		err = ftrace_set_filter(&ops[i], "shape_*", true) > 0 ? 0 : -1;
		if (!err)
			err = register_ftrace_function(&ops[i]);
	}
	return err;
}

static void unhook(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		if (unregister_ftrace_function(&ops[i]))
			report(false, "op %u unregisters", i);
		ftrace_free_filter(&ops[i]);
	}
}

static unsigned long calls_made;

static void call_with(const struct call_shapes *shapes, const char *caller,
		      unsigned int (*pass)(const struct call_shapes *, unsigned long), unsigned int nr)
{
	unsigned int rounds = cmdline_number("calls", 200, 1, 10000000), wrong = 0, lost = 0;

	for (unsigned int i = 0; i < nr; i++)
		hits[i] = 0;
	for (unsigned long i = 0; i < rounds; i++)
		wrong += pass(shapes, i * 0x01234567ul);
	for (unsigned int i = 0; i < nr; i++)
		lost += hits[i] != (unsigned long)rounds * CALLS_A_PASS;
	calls_made += (unsigned long)rounds * CALLS_A_PASS;
	report(!wrong && !lost, "%s, %s caller, %u ops: %u results wrong, %u counts", shapes->name, caller,
	       nr, wrong, lost);
}

/* Where the ISA has another state to call from. */
unsigned int calls_pass_thumb(const struct call_shapes *shapes, unsigned long x) __weak;

static void call_all(unsigned int nr)
{
	static const struct call_shapes *const all[] = {
		&call_shapes_plain, &call_shapes_size, &call_shapes_frames,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		call_with(all[i], "our", calls_pass, nr);
		if (calls_pass_thumb)
			call_with(all[i], "Thumb", calls_pass_thumb, nr);
	}
}

DEFINE_TEST(calls)
{
	static const struct calls_hooks kinds[] = CALLS_HOOKS;
	u64 hash = text_hash();

	for (const struct calls_hooks *k = kinds; k < kinds + ARRAY_SIZE(kinds); k++) {
		if (k->users && !arch_fgraph_supported())
			continue;
		if (hook(k->nr, k->flags) || !calls_graph_on(k->users, "shape_*")) {
			report(false, "%u ops, flags %x, %u users of the graph", k->nr, k->flags, k->users);
			return;
		}
		report_prefix_push(k->users ? k->users > 1 ? "2 graph users" : "1 graph user" : "");
		calls_made = 0;
		call_all(k->nr);
		report_prefix_pop();
		if (k->users)
			report(!calls_graph_off(k->users, calls_made), "%u users saw every call and return", k->users);
		unhook(k->nr);
	}
	report(text_hash() == hash, "text is as it was");
}
