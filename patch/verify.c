// SPDX-License-Identifier: MIT
/*
 * Is a batch what it should be? Sorted by address, no two changes overlap, each site
 * reaches its target, and text holds the bytes that each change expects. Reads only.
 */
#include "patch/method.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "base/sort.h"
#include "base/string.h"

/* From a record's address to the end of what changes of its site. */
#define SITE_REACH	(2UL * ARCH_INSN_BYTES)

/* ---- what is printed ---- */

static void print_bytes(const char *what, const u8 *bytes, unsigned int len)
{
	char text[3 * ARCH_INSN_BYTES + 1];
	int at = 0;

	for (unsigned int i = 0; i < len; i++)
		at += format(text + at, sizeof(text) - at, " %02x", bytes[i]);
	pr_info("  %s%s\n", what, text);
}

/* ---- order ---- */

/* The first span that does not lie behind the one before it; NULL when all do. */
static const struct site_span *find_span_in_the_way(const struct text_poke_batch *batch)
{
	for (unsigned int i = 1; i < batch->nr_spans; i++)
		if (batch->spans[i].first < batch->spans[i - 1].end)
			return &batch->spans[i];
	return NULL;
}

static const struct text_poke *find_poke_in_the_way(const struct text_poke_batch *batch)
{
	for (unsigned int i = 1; i < batch->nr_pokes; i++)
		if (batch->pokes[i].addr < batch->pokes[i - 1].addr + batch->pokes[i - 1].len)
			return &batch->pokes[i];
	return NULL;
}

/* An append out of order looks like an overlap: sorting tells them apart. */
static int put_in_order(struct text_poke_batch *batch)
{
	const struct site_span *span = find_span_in_the_way(batch);
	const struct text_poke *poke = find_poke_in_the_way(batch);

	if (span) {
		sort(batch->spans, batch->nr_spans, sizeof(*batch->spans), compare_keys);
		span = find_span_in_the_way(batch);
	}
	if (poke) {
		sort(batch->pokes, batch->nr_pokes, sizeof(*batch->pokes), compare_keys);
		poke = find_poke_in_the_way(batch);
	}
	if (!span && !poke)
		return 0;
	return text_poke_refuse(span ? span->first->ip : poke->addr, "two changes of one batch overlap", -EBUSY);
}

/* ---- sites ---- */

/* Records that boot marked: mostly there are none, and nobody looks. */
static int check_traceable(const struct text_poke_batch *batch)
{
	for (unsigned int i = 0; site_stats()->unreachable && i < batch->nr_spans; i++)
		for (const struct dyn_ftrace *rec = batch->spans[i].first; rec < batch->spans[i].end; rec++)
			if (rec->flags & FTRACE_FL_UNREACHABLE)
				return text_poke_refuse(rec->ip, "a site that cannot be hooked", -ERANGE);
	return 0;
}

static int check_reach_from(const struct dyn_ftrace *rec, unsigned long target)
{
	if (arch_site_reaches(rec->ip, target))
		return 0;
	return text_poke_refuse(rec->ip, "target out of branch reach", -ERANGE);
}

/* The sites that reach a target lie together: of neighbours with one target, the ends speak for all. */
static int check_reach(const struct text_poke_batch *batch)
{
	const struct site_span *span = batch->spans, *last = span + batch->nr_spans;
	int error = 0;

	while (!error && span < last) {
		const struct dyn_ftrace *first = span->first;
		unsigned long target = span->target;

		while (span + 1 < last && span[1].target == target)
			span++;
		error = check_reach_from(first, target);
		if (!error)
			error = check_reach_from(span->end - 1, target);
		span++;
	}
	return error;
}

static void set_bounds(struct text_poke_batch *batch)
{
	batch->low = batch->high = NULL;
	if (!batch->nr_spans)
		return;
	batch->low = batch->spans[0].first;
	batch->high = batch->spans[batch->nr_spans - 1].end;
}

/* Does the change touch a site of the batch? Sites are short: few begin so near below its end. */
static bool meets_site(const struct text_poke_batch *batch, const struct text_poke *poke)
{
	const struct dyn_ftrace *rec = site_before(poke->addr + poke->len - 1);
	struct text_poke site[ARCH_SITE_POKES];

	for (; rec && rec->ip + SITE_REACH > poke->addr; rec = site_before(rec->ip - 1)) {
		unsigned int n = text_poke_span_of(batch, rec) ? arch_site_pokes(rec->ip, 0, 0, site) : 0;

		while (n--)
			if (site[n].addr < poke->addr + poke->len && poke->addr < site[n].addr + site[n].len)
				return true;
	}
	return false;
}

static int check_apart(const struct text_poke_batch *batch)
{
	for (unsigned int i = 0; batch->nr_spans && i < batch->nr_pokes; i++)
		if (meets_site(batch, &batch->pokes[i]))
			return text_poke_refuse(batch->pokes[i].addr, "two changes of one batch overlap", -EBUSY);
	return 0;
}

static int check_method(const struct text_poke_batch *batch, const struct text_poke_method *method)
{
	for (unsigned int i = 0; method->can_write && i < batch->nr_pokes; i++) {
		const struct text_poke *poke = &batch->pokes[i];

		if (!method->can_write(poke))
			return text_poke_refuse(poke->addr,
						"no whole nop, call or jump, so not to be written under running CPUs",
						-EINVAL);
	}
	return 0;
}

/* ---- bytes ---- */

/* The first change that found other bytes than it expected; len 0: none. Under text_mutex. */
static struct text_poke mismatch;
static u8 found[ARCH_INSN_BYTES];

static void verify_pokes(const struct text_poke *poke, const struct text_poke *end, enum text_part part)
{
	for (; !mismatch.len && poke < end; poke++) {
		const u8 *bytes = host_text_alias(poke->addr);

		if (likely(memcmp(bytes, poke->old, poke->len) == 0))
			continue;
		mismatch = *poke;
		memcpy(found, bytes, poke->len);
	}
}

/* The port's loop finds the site; which of its changes it is, we look for there. */
static void verify_sites(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	const struct dyn_ftrace *table = site_at(0), *bad;
	struct text_poke pokes[ARCH_SITE_POKES];

	if (mismatch.len)
		return;
	bad = arch_sites_verify(span, last, table, site_targets(table));
	if (bad)
		verify_pokes(pokes, pokes + arch_site_pokes(bad->ip, *site_targets(bad), 0, pokes), part);
}

static int check_bytes(const struct text_poke_batch *batch)
{
	static const struct text_writer verify = { .pokes = verify_pokes, .sites = verify_sites, .reads = true };

	mismatch.len = 0;
	text_poke_each_slice(batch, &verify, TEXT_PART_WHOLE);
	if (!mismatch.len)
		return 0;
	text_poke_refuse(mismatch.addr, "bytes are not as expected", -EINVAL);
	print_bytes("expected", mismatch.old, mismatch.len);
	print_bytes("found   ", found, mismatch.len);
	return -EINVAL;
}

int text_poke_verify(struct text_poke_batch *batch, const struct text_poke_method *method)
{
	int error = put_in_order(batch);

	set_bounds(batch);
	if (!error)
		error = check_traceable(batch);
	if (!error)
		error = check_reach(batch);
	if (!error)
		error = check_apart(batch);
	if (!error)
		error = check_method(batch, method);
	return error ? error : check_bytes(batch);
}
