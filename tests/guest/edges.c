// SPDX-License-Identifier: MIT
/*
 * Sites that lie across the ends of pages and cache lines, and the last function
 * of text: they change as any other, no byte around them does, and the pages are
 * mapped as before.
 */
#include "tests/guest/edges.h"

#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "kernel/cmdline.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "kernel/wx.h"
#include "linker/sections.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define AROUND	32	/* bytes looked at on either side */

static unsigned long hits;

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	hits++;
}

static struct ftrace_ops ops = { .func = count, .name = "edges" };

struct surroundings {
	u8 bytes[2 * AROUND];
};

static void take(struct surroundings *s, unsigned long ip)
{
	unsigned long from = ip - AROUND;

	memcpy(s->bytes, (const void *)from, min(sizeof(s->bytes), (unsigned long)__text_end - from));
}

/* Bytes that differ outside the site. */
static unsigned int strayed(const struct surroundings *a, const struct surroundings *b)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < sizeof(a->bytes); i++)
		n += a->bytes[i] != b->bytes[i] && (i < AROUND || i >= AROUND + edge_site_bytes);
	return n;
}

static int turn(edge_t f, bool on)
{
	int err;

	if (!on)
		return unregister_ftrace_function(&ops);
	err = ftrace_set_filter_ip(&ops, (unsigned long)f, false, true);
	return err ? err : register_ftrace_function(&ops);
}

static void flip(unsigned int number, edge_t f, const char *name)
{
	unsigned int rounds = cmdline_number("flips", 20, 1, 1000000), wrong = 0, moved = 0;
	unsigned long ip = site_of_function((unsigned long)f)->ip;
	struct surroundings off, on, again;
	int err = 0;

	take(&off, ip);
	hits = 0;
	for (unsigned int i = 0; i < rounds && !err; i++) {
		wrong += f(i) != i + number;
		err = turn(f, true);
		wrong += f(i) != i + number;
		take(&on, ip);
		if (!err)
			err = turn(f, false);
		take(&again, ip);
		moved += strayed(&off, &on) || memcmp(&off, &again, sizeof(off)) != 0;
	}
	report(!err && !wrong && !moved && hits == rounds,
	       "%s, 0x%lx: %u wrong results, %u changes beside the site, %lu of %u calls, %d", name, ip, wrong,
	       moved, hits, rounds, err);
}

DEFINE_TEST(edges)
{
	u64 hash = text_hash();
	struct kallsym sym;

	for (unsigned int i = 0; edge_functions[i]; i++) {
		unsigned long addr = (unsigned long)edge_functions[i];

		report(kallsyms_lookup(addr, &sym) && sym.addr == addr, "function %u has a symbol", i);
		if (site_of_function(addr))
			flip(i, edge_functions[i], sym.name);
		else
			report_skip("%s: no site in this flavour", sym.name);
		if (!edge_functions[i + 1])
			report(sym.addr + sym.size == ALIGN_UP(sym.addr, PAGE_SIZE) &&
			       (unsigned long)__code_pool_start - sym.addr <= 2 * PAGE_SIZE,
			       "%s ends with the last page of text", sym.name);
	}
	report(wx_check() == 0, "all pages are mapped as they should be");
	report(text_hash() == hash, "text is as it was");
	ftrace_free_filter(&ops);
}

/* ---- the same sites while other CPUs call them ---- */

struct caller {
	struct thread *thread;
	unsigned long calls, wrong, hits;
} __aligned(64);
static struct caller callers[MAX_CPUS];
static bool stop;

static notrace void count_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	callers[cpu_id()].hits++;
}

static struct ftrace_ops called_ops = { .func = count_call, .name = "edges called" };

static int call_always(void *arg)
{
	struct caller *c = arg;

	while (!smp_load_acquire(&stop)) {
		for (unsigned int i = 0; edge_functions[i]; i++)
			c->wrong += edge_functions[i](7) != 7 + i;
		WRITE_ONCE(c->calls, c->calls + 1);
		cpu_relax();
	}
	return 0;
}

static void start_callers(void)
{
	memset(callers, 0, sizeof(callers));
	smp_store_release(&stop, false);
	for (unsigned int cpu = 1; cpu < smp_online(); cpu++)
		callers[cpu].thread = thread_create("caller", call_always, &callers[cpu], cpu);
}

static void stop_callers(struct caller *sum)
{
	smp_store_release(&stop, true);
	for (unsigned int cpu = 1; cpu < smp_online(); cpu++) {
		if (callers[cpu].thread)
			thread_join(callers[cpu].thread);
		sum->calls += callers[cpu].calls;
		sum->wrong += callers[cpu].wrong;
		sum->hits += callers[cpu].hits;
	}
}

/* Each state is called, on CPU 1, before the next change. */
static void await_calls(void)
{
	unsigned long before = READ_ONCE(callers[1].calls);

	while (callers[1].thread && READ_ONCE(callers[1].calls) - before < 2)
		thread_sleep_ms(1);
}

static int switch_often(unsigned int times)
{
	int err = 0;

	while (times-- && !err) {
		err = register_ftrace_function(&called_ops);
		await_calls();
		if (!err)
			err = unregister_ftrace_function(&called_ops);
		await_calls();
	}
	return err;
}

static void switch_by(const char *method, unsigned int times)
{
	struct caller sum = { .calls = 0 };
	int err;

	if ((strcmp(method, "atomic") == 0 && !patch_atomic_holds()) || text_poke_select(method)) {
		report_skip("%s: not on this machine", method);
		return;
	}
	start_callers();
	err = switch_often(times);
	stop_callers(&sum);
	report(!err && sum.calls && sum.hits && !sum.wrong, "%s: %lu times called, %lu hits, %lu wrong results, %d",
	       method, sum.calls, sum.hits, sum.wrong, err);
}

DEFINE_TEST(edges_called)
{
	static const char *const methods[] = { "breakpoint", "atomic", "nosync", "stop" };
	unsigned int times = cmdline_number("flips", 20, 1, 1000000);
	u64 hash = text_hash();
	int err = 0;

	if (smp_online() == 1) {
		report_skip("needs two CPUs");
		return;
	}
	for (unsigned int i = 0; edge_functions[i] && !err; i++)
		if (site_of_function((unsigned long)edge_functions[i]))
			err = ftrace_set_filter_ip(&called_ops, (unsigned long)edge_functions[i], false, i == 0);
	report(!err, "all of them are chosen: %d", err);
	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++)
		switch_by(methods[i], times);
	report(text_poke_select("auto") == 0, "back to the default method");
	report(text_hash() == hash, "text is as it was");
	ftrace_free_filter(&called_ops);
}
