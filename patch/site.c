// SPDX-License-Identifier: MIT
/*
 * The table of call sites: made once from the image's records, sorted, without
 * duplicates, every one checked against symbol table and text.
 *
 * targets[i] is what record i calls now. A batch's new targets are in its spans
 * until it has committed.
 */
#include "patch/site.h"

#include "arch/arch.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "base/sort.h"
#include "base/string.h"
#include "linker/sections.h"
#include "patch/method.h"

#define MAX_PRINTED	8	/* bad records named at boot */

static struct dyn_ftrace *table;
static unsigned long *targets;
static unsigned int nr_records;
static struct site_stats stats;
static unsigned int nr_printed;

/* The open batch's last span, which site_queue() may lengthen; an empty one that nothing follows. */
static struct site_span nothing, *last_span = &nothing;

/* ---- at boot ---- */

static void refuse(unsigned long ip, unsigned int *counter, const char *why)
{
	++*counter;
	if (nr_printed++ < MAX_PRINTED)
		pr_info("sites: record 0x%lx (%pS): %s\n", ip, (void *)ip, why);
}

static bool check_record(unsigned long ip)
{
	struct kallsym sym;
	int error;

	if (ip < (unsigned long)__text_start || ip >= (unsigned long)__code_pool_start ||
	    !kallsyms_lookup(ip, &sym)) {
		refuse(ip, &stats.outside, "not inside a function");
		return false;
	}
	error = arch_site_check(ip, &sym);
	if (error == -EOPNOTSUPP)
		refuse(ip, &stats.refused, "a shape that cannot be hooked");
	else if (error)
		refuse(ip, &stats.bad_bytes, "neither place nor bytes of a call site");
	return !error;
}

/* Addresses other than zero, sorted. Return: how many. */
static unsigned int gather(unsigned long *ips, const unsigned long *start, const unsigned long *end)
{
	unsigned int n = 0;
	bool sorted = true;

	for (; start < end; start++) {
		if (!*start) {
			stats.zero++;
			continue;
		}
		sorted &= n == 0 || ips[n - 1] <= *start;
		ips[n++] = *start;
	}
	if (!sorted)
		sort(ips, n, sizeof(*ips), compare_keys);
	return n;
}

static void add_record(unsigned long ip)
{
	struct dyn_ftrace *rec = &table[nr_records++];

	*rec = (struct dyn_ftrace){ .ip = ip };
	if (arch_site_init(ip) < 0) {
		rec->flags |= FTRACE_FL_UNREACHABLE;
		refuse(ip, &stats.unreachable, "code pool out of branch reach");
	}
	stats.crossing += arch_site_crosses(ip);
}

static void fill_table(const unsigned long *ips, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		if (i && ips[i] == ips[i - 1])
			stats.duplicate++;
		else if (check_record(ips[i]))
			add_record(ips[i]);
	}
	stats.sites = nr_records;
}

int sites_init(const unsigned long *start, const unsigned long *end)
{
	unsigned int n = end - start;
	unsigned long *ips = n ? host_alloc(n * sizeof(*ips)) : NULL;
	unsigned long flags, cookie;

	stats = (struct site_stats){ .in_table = n };
	nr_records = nr_printed = 0;
	if (!n)
		return 0;
	table = host_alloc(max(n * sizeof(*table), PAGE_SIZE));
	targets = host_alloc(n * sizeof(*targets));
	if (!ips || !table || !targets) {
		host_free(ips);
		host_free(table);
		host_free(targets);
		return -ENOMEM;
	}
	n = gather(ips, start, end);
	flags = host_irq_save();
	cookie = host_text_open();
	fill_table(ips, n);
	arch_text_flush();
	host_text_close(cookie);
	host_irq_restore(flags);
	arch_text_sync();
	host_free(ips);
	return 0;
}

const struct site_stats *site_stats(void)
{
	return &stats;
}

/* ---- the table ---- */

unsigned int nr_sites(void)
{
	return nr_records;
}

struct dyn_ftrace *site_at(unsigned int index)
{
	BUG_ON(index >= nr_records);
	return &table[index];
}

struct dyn_ftrace *site_before(unsigned long addr)
{
	return bsearch_le(table, nr_records, sizeof(*table), addr);
}

struct dyn_ftrace *site_find(unsigned long ip)
{
	struct dyn_ftrace *rec = site_before(ip);

	return rec && rec->ip == ip ? rec : NULL;
}

/* A site lies at the function's entry or a landing pad behind it; never ask further than that. */
struct dyn_ftrace *site_of_function(unsigned long addr)
{
	struct kallsym sym;
	struct dyn_ftrace *rec;

	if (!kallsyms_lookup(addr, &sym))
		return NULL;
	rec = site_before(sym.addr);
	if (!rec)
		rec = table;
	else if (rec->ip < sym.addr)
		rec++;
	if (rec >= table + nr_records || rec->ip < addr || rec->ip - sym.addr >= sym.size)
		return NULL;
	return rec;
}

const unsigned long *site_targets(const struct dyn_ftrace *rec)
{
	return &targets[rec - table];
}

unsigned long site_target(const struct dyn_ftrace *rec)
{
	return *site_targets(rec);
}

/* ---- changing targets ---- */

void sites_batch_begin(void)
{
	last_span = &nothing;
}

static noinline int begin_span(struct dyn_ftrace *rec, unsigned long target)
{
	struct text_poke_batch *batch = text_poke_open_batch();

	if (batch->nr_spans == batch->spans_capacity &&
	    text_poke_grow((void **)&batch->spans, &batch->spans_capacity, batch->nr_spans, sizeof(*batch->spans),
			   rec->ip))
		return -ENOMEM;
	last_span = &batch->spans[batch->nr_spans++];
	*last_span = (struct site_span){ rec, rec + 1, target };
	return 0;
}

/* Enabling all sites comes here for each: whatever is rare is out of line, and called last. */
int site_queue(struct dyn_ftrace *rec, unsigned long target)
{
	struct site_span *span = last_span;

	if (unlikely(span->end != rec || span->target != target))
		return begin_span(rec, target);
	span->end = rec + 1;
	return 0;
}

void sites_batch_done(const struct text_poke_batch *batch, bool committed)
{
	last_span = &nothing;
	if (!committed)
		return;
	for (unsigned int i = 0; i < batch->nr_spans; i++) {
		const struct site_span *span = &batch->spans[i];
		unsigned long target = span->target;
		unsigned long *at = &targets[span->first - table];
		unsigned long *end = &targets[span->end - table];

		while (at < end)
			*at++ = target;
	}
}
