// SPDX-License-Identifier: MIT
/*
 * A CPU that has taken a site's breakpoint, its pc behind the int3, at each moment of a batch:
 * as long as the batch is live the new instruction is emulated, before and afterwards the site
 * is tried again. And calls that really run into each state. The steps of a batch are made here,
 * one by one, so that each moment is met for certain.
 */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/host.h"
#include "core/ftrace.h"
#include "patch/method.h"

static unsigned long hits[3];	/* by tracee whose op it was; [0] counts none */

static notrace void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	hits[(unsigned long)op->private]++;
}

static struct ftrace_ops ops[3];
static unsigned long targets[3];	/* what the site calls: nothing, one trampoline, another */
static struct dyn_ftrace *rec;
static unsigned int problems;

/* ---- what is asked at each moment ---- */

static void expect(bool right, const char *moment, unsigned int from, unsigned int to)
{
	if (!right && !problems++)
		report_info("%u -> %u: wrong %s", from, to, moment);
}

/* As a handler that has just been entered; to: which instruction it emulates, -1: it tries again. */
static bool trap_does(int to)
{
	unsigned long stack[4] = { 0 }, flags = host_irq_save();
	struct pt_regs regs = { .ip = rec->ip + ARCH_BREAKPOINT_BYTES, .sp = (unsigned long)&stack[3] };
	bool handled = text_poke_trap(&regs), pushed = regs.sp == (unsigned long)&stack[2];

	host_irq_restore(flags);
	if (!handled)
		return false;
	if (to <= 0)
		return !pushed && regs.ip == (to ? rec->ip : rec->ip + ARCH_INSN_BYTES);
	return pushed && stack[2] == rec->ip + ARCH_INSN_BYTES && regs.ip == targets[to];
}

static bool call_does(unsigned int to)
{
	unsigned long before[3] = { hits[0], hits[1], hits[2] };
	bool right = patch_tracees[0](5) == 15;

	for (unsigned int i = 1; i < 3; i++)
		right &= hits[i] - before[i] == (i == to);
	return right;
}

/* ---- a batch of one site, step by step ---- */

static void write_step(const struct text_poke_batch *batch, enum text_part part, const char *moment,
		       unsigned int from, unsigned int to)
{
	text_poke_each_slice(batch, &text_write_all, part);
	expect(trap_does((int)to), moment, from, to);
	expect(call_does(to), moment, from, to);
	text_poke_sync();
	expect(trap_does((int)to), moment, from, to);
}

static void change(unsigned int from, unsigned int to)
{
	struct site_span span = { rec, rec + 1, targets[to] };
	struct text_poke_batch batch = { .spans = &span, .nr_spans = 1, .low = rec, .high = rec + 1 };

	expect(trap_does(-1) && call_does(from), "before", from, to);
	text_poke_publish(&batch);
	expect(trap_does((int)to) && call_does(from), "published", from, to);
	write_step(&batch, TEXT_PART_BREAKPOINT, "with the breakpoint", from, to);
	write_step(&batch, TEXT_PART_TAIL, "with the tail", from, to);
	write_step(&batch, TEXT_PART_HEAD, "written", from, to);
	text_poke_touch(&batch);
	text_poke_retire();
	expect(trap_does(-1) && call_does(to), "retired", from, to);
	text_poke_sync();
	expect(trap_does(-1) && call_does(to), "forgotten", from, to);
}

/* Two trampolines, each in use at another function than the site's. */
static bool make_targets(void)
{
	bool made = true;

	for (unsigned int i = 1; i < 3; i++) {
		unsigned long function = (unsigned long)patch_tracees[i];

		ops[i] = (struct ftrace_ops){
			.func = count_hit, .name = "inside trap", .private = (void *)(unsigned long)i};
		made &= ftrace_set_filter_ip(&ops[i], function, false, true) == 0 &&
			register_ftrace_function(&ops[i]) == 0;
		targets[i] = site_target(site_of_function(function));
	}
	return made && targets[1] != targets[2];
}

DEFINE_TEST(x86_inside_trap)
{
	static const unsigned int way[] = { 0, 1, 2, 1, 0, 2, 0 };
	u64 hash = text_hash();

	rec = site_of_function((unsigned long)patch_tracees[0]);
	report(make_targets(), "two trampolines");
	hash = text_hash();
	report(text_poke_begin() == 0, "text is ours");
	for (unsigned int i = 1; i < ARRAY_SIZE(way); i++) {
		problems = 0;
		change(way[i - 1], way[i]);
		report(!problems, "%u -> %u: in the trap, and into it, at each moment", way[i - 1], way[i]);
	}
	text_poke_abort();
	report(text_hash() == hash, "text is as it was");
	for (unsigned int i = 1; i < 3; i++) {
		report(unregister_ftrace_function(&ops[i]) == 0, "off");
		ftrace_free_filter(&ops[i]);
	}
}
