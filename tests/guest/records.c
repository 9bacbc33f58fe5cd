// SPDX-License-Identifier: MIT
/*
 * The table of call sites: what the linker left, what of it is a site, and that
 * everything else is never patched.
 */
#include "tests/test.h"
#include "tests/guest/calls.h"
#include "tests/guest/ftrace_tracees.h"
#include "tests/guest/records_fixtures.h"

#include "arch/arch.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/string.h"
#include "core/fgraph.h"
#include "linker/sections.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	(*(unsigned long *)op->private)++;
}

static unsigned long hits;
static struct ftrace_ops ops = { .func = count, .private = &hits };

/* ---- the table as a whole ------------------------------------------------------- */

DEFINE_TEST(records_table)
{
	const struct site_stats *s = site_stats();
	unsigned int unordered = 0, strange = 0;
	struct kallsym sym;

	report(s->in_table && __start_mcount_loc + s->in_table == __stop_mcount_loc,
	       "%u entries in the linker's table", s->in_table);
	report(s->in_table == s->sites + s->zero + s->duplicate + s->outside + s->bad_bytes + s->refused,
	       "%u sites; %u zero, %u twice, %u outside, %u other bytes, %u refused: each is counted once",
	       s->sites, s->zero, s->duplicate, s->outside, s->bad_bytes, s->refused);
	report(!s->zero && !s->duplicate && !s->bad_bytes, "none of what must not be here");
	report(nr_sites() == s->sites, "%u records", nr_sites());
	for (unsigned int i = 0; i < nr_sites(); i++) {
		unsigned long ip = site_at(i)->ip;

		unordered += i && ip <= site_at(i - 1)->ip;
		strange += !kallsyms_lookup(ip, &sym) || site_find(ip) != site_at(i) ||
			   site_of_function(sym.addr) != site_at(i) || site_find(ip + 1);
	}
	report(!unordered && !strange, "%u out of order, %u not found as they should be", unordered, strange);
}

DEFINE_TEST(records_notrace)
{
	static const void *const hidden[] = {
		ft_hidden, count, register_ftrace_function, host_alloc, memcpy, text_poke_begin,
	};
	static const void *const traced[] = { ft_tracee_0, ft_outer, ft_arguments };

	for (unsigned int i = 0; i < ARRAY_SIZE(hidden); i++)
		report(!site_of_function((unsigned long)hidden[i]), "function %u has no site", i);
	for (unsigned int i = 0; i < ARRAY_SIZE(traced); i++)
		report(site_of_function((unsigned long)traced[i]), "function %u has one", i);
	report(!site_find(0) && !site_of_function(0) && !site_of_function(~0ul), "addresses of nothing");
}

/* ---- a record that outlives its function ----------------------------------------- */

#define BODY_BYTES	16

/* The record's address of the overridden body, 0 when there is none. */
static unsigned long stale_record(void)
{
	struct kallsym sym;

	for (const unsigned long *ip = __start_mcount_loc; ip < __stop_mcount_loc; ip++) {
		if (!kallsyms_lookup(*ip, &sym))
			return *ip;
	}
	return 0;
}

DEFINE_TEST(records_stale)
{
	unsigned long stale = stale_record();
	u8 before[BODY_BYTES];
	int ret;

	report(stale && site_stats()->outside == 1, "the overridden body left a record at %lx, %u refused",
	       stale, site_stats()->outside);
	if (!stale)
		return;
	report(!site_find(stale) && !site_of_function(stale), "it is no site");
	memcpy(before, (const void *)stale, sizeof(before));
	report(register_ftrace_function(&ops) == 0, "everything is on");
	report(memcmp(before, (const void *)stale, sizeof(before)) == 0, "its bytes are as they were");
	report(rec_overridden(1) == 3 && rec_neighbour(1) == 4, "results are right");
	report(unregister_ftrace_function(&ops) == 0, "everything is off");
	ret = ftrace_set_filter(&ops, "rec_neighbour", true);
	report(ret == -EINVAL, "the neighbour without site stays without: %d", ret);
	ret = ftrace_set_filter_ip(&ops, (unsigned long)rec_neighbour, false, true);
	report(ret == -EINVAL, "by address too: %d", ret);
	ret = ftrace_set_filter_ip(&ops, stale, false, true);
	report(ret == -EINVAL, "and the stale record itself is refused: %d", ret);
	ret = ftrace_set_filter(&ops, "rec_overridden", true);
	report(ret == 1 && ftrace_ops_test(&ops, site_of_function((unsigned long)rec_overridden)->ip),
	       "the name means the body that counts");
	ftrace_free_filter(&ops);
}

/* ---- clones ------------------------------------------------------------------------ */

static bool is_cold(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".cold") == 0;
}

/* How many clones or cold parts there are of a function, and how many of them have a site. */
static void count_parts(const char *name, bool cold, unsigned int *symbols, unsigned int *sites)
{
	size_t n = strlen(name);
	struct kallsym sym;

	*symbols = *sites = 0;
	for (unsigned int i = 0; i < kallsyms_count(); i++) {
		kallsyms_get(i, &sym);
		if (strncmp(sym.name, name, n) || sym.name[n] != '.' || is_cold(sym.name) != cold)
			continue;
		++*symbols;
		*sites += site_of_function(sym.addr) != NULL;
	}
}

DEFINE_TEST(records_clones)
{
	unsigned int clones, clone_sites, cold, cold_sites;
	int ret;

	count_parts("rec_cloned", false, &clones, &clone_sites);
	count_parts("rec_cloned", true, &cold, &cold_sites);
	report_info("%u clones, %u cold parts", clones, cold);
	if (!clones) {
		report_skip("the compiler made no clone");
		return;
	}
	report(clone_sites == clones, "each clone has a site");
	report(cold_sites == 0, "a cold part has none");
	ret = ftrace_set_filter(&ops, "rec_cloned", true);
	report(ret == 1, "the exact name takes the function alone: %d", ret);
	ret = ftrace_set_filter(&ops, "rec_cloned.*", true);
	report(ret == (int)clones, "its clones go by a glob: %d", ret);
	ret = ftrace_set_filter(&ops, "*.cold", true);
	report(ret == -ENOENT, "cold parts are no functions: %d", ret);
	ret = ftrace_set_filter(&ops, "rec_cloned*", true);
	report(ret == (int)clones + 1, "all together: %d", ret);
	hits = 0;
	report(register_ftrace_function(&ops) == 0, "registered");
	rec_call_clones(5);
	report(hits == 5, "%lu of 5 calls", hits);
	report(unregister_ftrace_function(&ops) == 0, "unregistered");
	ftrace_free_filter(&ops);
}

/* ---- shapes -------------------------------------------------------------------------- */

static unsigned long nested_parent;

static notrace void note_parent(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	struct kallsym sym;

	if (kallsyms_lookup(ip, &sym) && !strncmp(sym.name, "rec_inner", strlen("rec_inner")))
		nested_parent = parent_ip;
}

/* Where the static chain is pushed in front of the site, the parent cannot be told: no site then. */
DEFINE_TEST(records_nested)
{
	struct ftrace_ops all = { .func = note_parent };
	struct kallsym sym;
	int ret = ftrace_set_filter(&all, "rec_inner*", true);

	report(ret == 1 || (ret == -EINVAL || ret == -ENOENT), "a nested function: %d", ret);
	report(ret == 1 || site_stats()->refused, "it is traceable or counted as refused");
	report(rec_nest(10) == 31, "result off: %lu", rec_nest(10));
	report(register_ftrace_function(&all) == 0, "on");
	report(rec_nest(10) == 31, "result on: %lu", rec_nest(10));
	report(!nested_parent || (kallsyms_lookup(nested_parent, &sym) && sym.addr == (unsigned long)rec_nest),
	       "its parent is the outer one");
	report(unregister_ftrace_function(&all) == 0, "off");
	ftrace_free_filter(&all);
	for (unsigned int users = 1; users <= 2 && ret == 1 && arch_fgraph_supported(); users++) {
		report(calls_graph_on(users, "rec_inner*"), "%u users of the graph", users);
		report(rec_nest(10) == 31, "result on: %lu", rec_nest(10));
		report(!calls_graph_off(users, 2), "each saw two calls and returns");
	}
}

DEFINE_TEST(records_pads)
{
	unsigned long (*volatile indirect)(unsigned long) = rec_padded;
	unsigned long entry = (unsigned long)rec_padded;
	struct dyn_ftrace *rec = site_of_function(entry);
	u8 pad[16];
	int ret;

	if (strcmp(arch_site_flavour, "pg") == 0) {
		report_skip("pg has its site behind the prologue");
		return;
	}
	report(rec && rec->ip - entry <= 4, "its site lies at +%lu", rec ? rec->ip - entry : 0);
	if (!rec || rec->ip == entry) {
		report_skip("no landing pad here");
		return;
	}
	memcpy(pad, (const void *)entry, sizeof(pad));
	report(site_of_function(rec->ip) == rec && site_find(rec->ip) == rec && !site_find(entry),
	       "entry and site lead to the same record");
	hits = 0;
	for (unsigned int i = 0; i < 100; i++) {
		ret = i % 2 ? ftrace_set_filter_ip(&ops, i % 4 == 1 ? entry : rec->ip, false, true)
			    : ftrace_set_filter(&ops, "rec_padded", true) - 1;
		if (!ret)
			ret = register_ftrace_function(&ops);
		if (indirect(i) != i + 4 || memcmp(pad, (const void *)entry, rec->ip - entry))
			ret = -EFAULT;
		if (!ret)
			ret = unregister_ftrace_function(&ops);
		if (ret)
			report(false, "round %u: %d", i, ret);
	}
	report(hits == 100, "%lu of 100 calls", hits);
	report(memcmp(pad, (const void *)entry, sizeof(pad)) == 0, "bytes are as they were");
	ftrace_free_filter(&ops);
}
