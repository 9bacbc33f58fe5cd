// SPDX-License-Identifier: MIT
/*
 * Going through the changes of a batch: first its sites, then the others, each by
 * address, in slices that bound how long interrupts stay off.
 *
 * Sites that get one target go to a port's loop together. A writer that looks at
 * each change is given a site's changes, made here.
 */
#include "patch/method.h"

#include "base/host.h"
#include "base/sort.h"

/*
 * Interrupts are off for some 20 instructions a change and some hundreds that open and
 * close text: fewer changes a slice, and these are what a large batch spends its time on.
 */
#define SLICE_CHANGES	256U

const struct text_writer text_write_all = {
	.pokes = arch_text_write_part,
	.sites = arch_sites_write,
};

/* How far we are: @rec in @span, then @poke. */
struct walk {
	const struct text_poke_batch *batch;
	const struct site_span *span;
	const struct dyn_ftrace *rec;
	const struct text_poke *poke;
};

static struct walk walk_from_start(const struct text_poke_batch *batch)
{
	return (struct walk){ batch, batch->spans, batch->low, batch->pokes };
}

static bool has_sites(const struct walk *w)
{
	return w->span != w->batch->spans + w->batch->nr_spans;
}

static const struct text_poke *last_poke(const struct walk *w)
{
	return w->batch->pokes + w->batch->nr_pokes;
}

static bool is_over(const struct walk *w)
{
	return !has_sites(w) && w->poke == last_poke(w);
}

/* At most @room sites of the span at hand; the walk goes on behind them. Return: how many. */
static unsigned int next_sites(struct walk *w, unsigned int room)
{
	const struct dyn_ftrace *end = min(w->span->end, w->batch->high);
	unsigned int n = min((size_t)(end - w->rec), (size_t)room);

	w->rec += n;
	if (w->rec == end && ++w->span != w->batch->spans + w->batch->nr_spans)
		w->rec = w->span->first;
	return n;
}

/* The sites of a slice. Under text_mutex, so one array will do. */
static void make_pokes(const struct dyn_ftrace *rec, const struct dyn_ftrace *end, unsigned long target,
		       const struct text_writer *writer, enum text_part part)
{
	static struct text_poke pokes[SLICE_CHANGES * ARCH_SITE_POKES];
	const unsigned long *old = site_targets(rec);
	unsigned int n = 0;

	while (rec < end)
		n += arch_site_pokes((rec++)->ip, *old++, target, pokes + n);
	writer->pokes(pokes, pokes + n, part);
}

static void write_some(struct walk *w, unsigned int room, const struct text_writer *writer,
		       enum text_part part)
{
	const struct text_poke *first;

	while (room && has_sites(w)) {
		const struct dyn_ftrace *rec = w->rec;
		unsigned long target = w->span->target;
		unsigned int n = next_sites(w, room);

		if (writer->sites)
			writer->sites(rec, rec + n, target, part);
		else
			make_pokes(rec, rec + n, target, writer, part);
		room -= n;
	}
	first = w->poke;
	w->poke += min((size_t)(last_poke(w) - first), (size_t)room);
	if (w->poke != first)
		writer->pokes(first, w->poke, part);
}

static void flush(void)
{
	arch_text_flush();
	text_cache_ops += ARCH_FLUSH_CACHE_OPS;
}

void text_poke_each_slice(const struct text_poke_batch *batch, const struct text_writer *writer,
			  enum text_part part)
{
	struct walk walk = walk_from_start(batch);

	while (!is_over(&walk)) {
		unsigned long flags = host_irq_save(), cookie;
		u64 start = host_clock();

		cookie = host_text_open();
		write_some(&walk, SLICE_CHANGES, writer, part);
		if (!writer->reads)
			flush();
		host_text_close(cookie);
		text_poke_note_pause(start);
		host_irq_restore(flags);
	}
}

void text_poke_at_once(const struct text_poke_batch *batch, const struct text_writer *writer,
		       enum text_part part)
{
	struct walk walk = walk_from_start(batch);

	while (!is_over(&walk))
		write_some(&walk, SLICE_CHANGES, writer, part);
	flush();
}

struct text_poke_batch text_poke_take(struct text_poke_batch *rest, unsigned int nr)
{
	struct text_poke_batch part = *rest;
	struct walk walk = walk_from_start(rest);

	while (nr && has_sites(&walk)) {
		const struct site_span *span = walk.span;
		const struct dyn_ftrace *rec = walk.rec;
		unsigned int n = next_sites(&walk, nr);

		part.nr_spans = span + 1 - rest->spans;
		part.high = rec + n;
		nr -= n;
	}
	part.nr_pokes = min(rest->nr_pokes, nr);
	rest->nr_spans -= walk.span - rest->spans;
	rest->spans = (struct site_span *)walk.span;
	rest->low = walk.rec;
	rest->nr_pokes -= part.nr_pokes;
	rest->pokes += part.nr_pokes;
	return part;
}

/* ---- looking up and counting ---- */

const struct site_span *text_poke_span_of(const struct text_poke_batch *batch, const struct dyn_ftrace *rec)
{
	const struct site_span *span = bsearch_le(batch->spans, batch->nr_spans, sizeof(*span),
						  (unsigned long)rec);

	return span && rec < span->end && rec >= batch->low && rec < batch->high ? span : NULL;
}

unsigned long text_poke_count_sites(const struct text_poke_batch *batch)
{
	struct walk walk = walk_from_start(batch);
	unsigned long n = 0;

	while (has_sites(&walk))
		n += next_sites(&walk, ~0u);
	return n;
}

unsigned long text_poke_count_crossing(const struct text_poke_batch *batch)
{
	struct walk walk = walk_from_start(batch);
	unsigned long n = 0;

	while (has_sites(&walk)) {
		const struct dyn_ftrace *rec = walk.rec;
		const struct dyn_ftrace *end = rec + next_sites(&walk, ~0u);

		for (; rec < end; rec++)
			n += arch_site_crosses(rec->ip);
	}
	for (unsigned int i = 0; i < batch->nr_pokes; i++)
		n += arch_text_crosses(batch->pokes[i].addr, batch->pokes[i].len);
	return n;
}
