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
static const struct dyn_ftrace *find_unreachable(const struct site_span *span)
{
	const struct dyn_ftrace *rec = span->first;

	if (!site_stats()->unreachable)
		return NULL;
	while (rec < span->end && !(rec->flags & FTRACE_FL_UNREACHABLE))
		rec++;
	return rec < span->end ? rec : NULL;
}

/* The sites that reach a target lie together, so a span's ends speak for all. */
static int check_reach(const struct text_poke_batch *batch)
{
	for (unsigned int i = 0; i < batch->nr_spans; i++) {
		const struct site_span *span = &batch->spans[i];
		const struct dyn_ftrace *bad = find_unreachable(span);

		if (bad)
			return text_poke_refuse(bad->ip, "a site that cannot be hooked", -ERANGE);

		if (!arch_site_reaches(span->first->ip, span->target))
			return text_poke_refuse(span->first->ip, "target out of branch reach", -ERANGE);
		if (!arch_site_reaches(span->end[-1].ip, span->target))
			return text_poke_refuse(span->end[-1].ip, "target out of branch reach", -ERANGE);
	}
	return 0;
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

/* Which of its changes it is finds the other writer. */
static void verify_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end, unsigned long target,
			 enum text_part part)
{
	const struct dyn_ftrace *bad;
	struct text_poke pokes[ARCH_SITE_POKES];

	if (mismatch.len)
		return;
	bad = arch_sites_verify(rec, end, site_targets(rec));
	if (bad != end)
		verify_pokes(pokes, pokes + arch_site_pokes(bad->ip, *site_targets(bad), target, pokes), part);
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
		error = check_reach(batch);
	if (!error)
		error = check_apart(batch);
	if (!error)
		error = check_method(batch, method);
	return error ? error : check_bytes(batch);
}
