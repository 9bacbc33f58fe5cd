// SPDX-License-Identifier: MIT
/*
 * Sites that lie across the ends of pages and cache lines, and the last function
 * of text: they change as any other, no byte around them does, and the pages are
 * mapped as before.
 */
#include "tests/guest/edges.h"

#include "tests/test.h"

#include "base/kallsyms.h"
#include "base/string.h"
#include "core/ftrace.h"
#include "kernel/cmdline.h"
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

static int switch_to(edge_t f, bool on)
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
		err = switch_to(f, true);
		wrong += f(i) != i + number;
		take(&on, ip);
		if (!err)
			err = switch_to(f, false);
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
