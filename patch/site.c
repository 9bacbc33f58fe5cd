// SPDX-License-Identifier: MIT
/*
 * The table of call sites: made once from the image's records, sorted, without
 * duplicates, every one checked against symbol table and text.
 *
 * targets[i] is what record i calls now. A batch's new targets wait in a queue
 * of their own until it has committed.
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
#define FEW		64U	/* first size of the queue of targets */

struct queued_target {
	unsigned int index;
	unsigned long target;
};

static struct dyn_ftrace *table;
static unsigned long *targets;
static unsigned int nr_records;
static struct site_stats stats;
static unsigned int nr_printed;

/* The open batch's new targets: as text_poke_next and text_poke_end. */
static struct queued_target *queue, *queue_next, *queue_end;

/* ---- at boot ---- */

static int compare_addresses(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

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
		sort(ips, n, sizeof(*ips), compare_addresses);
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
	stats.crossing += arch_text_crosses(ip, ARCH_INSN_BYTES);
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

struct dyn_ftrace *site_find(unsigned long ip)
{
	struct dyn_ftrace *rec = bsearch_le(table, nr_records, sizeof(*table), ip);

	return rec && rec->ip == ip ? rec : NULL;
}

/* A site lies at the function's entry or a landing pad behind it; never ask further than that. */
struct dyn_ftrace *site_of_function(unsigned long addr)
{
	struct kallsym sym;
	struct dyn_ftrace *rec;

	if (!kallsyms_lookup(addr, &sym))
		return NULL;
	rec = bsearch_le(table, nr_records, sizeof(*table), sym.addr);
	if (!rec)
		rec = table;
	else if (rec->ip < sym.addr)
		rec++;
	if (rec >= table + nr_records || rec->ip < addr || rec->ip - sym.addr >= sym.size)
		return NULL;
	return rec;
}

unsigned long site_target(const struct dyn_ftrace *rec)
{
	return targets[rec - table];
}

/* ---- changing targets ---- */

/* More than a few in a batch: there may soon be all. */
static int grow_pokes(void)
{
	unsigned int nr = queue_next - queue;
	unsigned int more = nr < FEW || nr >= nr_records ? 1 : nr_records - nr;

	return text_poke_grow(more * ARCH_SITE_POKES);
}

static int grow_queue(void)
{
	unsigned int nr = queue_next - queue;
	unsigned int capacity = nr ? max(2 * nr, nr_records) : FEW;
	struct queued_target *bigger = host_alloc(capacity * sizeof(*bigger));

	if (!bigger)
		return text_poke_poison(-ENOMEM);
	if (nr)
		memcpy(bigger, queue, nr * sizeof(*bigger));
	host_free(queue);
	queue = bigger;
	queue_next = bigger + nr;
	queue_end = bigger + capacity;
	return 0;
}

/* Address order keeps the batch sorted; a slice never parts a site's changes. */
static void sort_pokes(struct text_poke *pokes)
{
	struct text_poke first = pokes[0];

	if (first.addr > pokes[1].addr) {
		pokes[0] = pokes[1];
		pokes[1] = first;
	}
}

/* Both queues have room: from here on nothing is in the way. */
static noinline int queue_after_growth(struct dyn_ftrace *rec, unsigned long target)
{
	if (!text_poke_has_room(ARCH_SITE_POKES) && grow_pokes())
		return -ENOMEM;
	if (queue_next == queue_end && grow_queue())
		return -ENOMEM;
	return site_queue(rec, target);
}

/* Enabling all sites comes here for each: whatever is rare is out of line, and called last. */
int site_queue(struct dyn_ftrace *rec, unsigned long target)
{
	struct text_poke *poke = text_poke_next;
	struct queued_target *queued = queue_next;
	unsigned int index = rec - table;
	int n;

	if (unlikely(!text_poke_has_room(ARCH_SITE_POKES) || queued == queue_end))
		return queue_after_growth(rec, target);
	n = arch_site_pokes(rec->ip, targets[index], target, poke);
	if (unlikely(n < 0))
		return text_poke_poison(n);
	if (ARCH_SITE_POKES > 1 && n > 1)
		sort_pokes(poke);
	text_poke_next = poke + n;
	queued->index = index;
	queued->target = target;
	queue_next = queued + 1;
	return 0;
}

void sites_batch_done(bool committed)
{
	const struct queued_target *q = queue;

	if (committed)
		for (; q < queue_next; q++)
			targets[q->index] = q->target;
	queue_next = queue;
}
