// SPDX-License-Identifier: MIT
/*
 * Going through the changes of a batch: first its sites, then the others, each by
 * address, in slices that bound how long interrupts stay off.
 *
 * A port's loop gets as many spans of sites at once as fit, or a piece of a longer one.
 * A writer that looks at each change is given a site's changes, made here.
 */
#include "patch/method.h"

#include "base/host.h"
#include "base/sort.h"

/*
 * Interrupts are off for 20 to 40 instructions a change and some hundreds that open and
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

/* The changes of a slice's sites. Under text_mutex, so one array will do. */
static void make_pokes(const struct site_span *span, const struct site_span *last, const struct text_writer *writer,
		       enum text_part part)
{
	static struct text_poke pokes[SLICE_CHANGES * ARCH_SITE_POKES];
	unsigned int n = 0;

	for (; span < last; span++) {
		const unsigned long *old = site_targets(span->first);

		for (const struct dyn_ftrace *rec = span->first; rec < span->end; rec++)
			n += arch_site_pokes(rec->ip, *old++, span->target, pokes + n);
	}
	writer->pokes(pokes, pokes + n, part);
}

static void write_spans(const struct site_span *span, const struct site_span *last, const struct text_writer *writer,
			enum text_part part)
{
	if (writer->sites)
		writer->sites(span, last, part);
	else
		make_pokes(span, last, writer, part);
}

/* A span costs about as much as a site. */
static unsigned int span_changes(const struct site_span *span)
{
	return span->end - span->first + 1;
}

/*
 * The walk goes on behind the spans that fit into @room as they are; so does none that
 * has begun, nor a batch's last one, which may be cut. Return: what room is left.
 */
static unsigned int pass_whole_spans(struct walk *w, unsigned int room)
{
	const struct site_span *last = w->batch->spans + w->batch->nr_spans - 1;

	if (w->rec != w->span->first)
		return room;
	while (w->span < last && span_changes(w->span) <= room)
		room -= span_changes(w->span++);
	w->rec = w->span->first;
	return room;
}

static unsigned int write_sites(struct walk *w, unsigned int room, const struct text_writer *writer,
				enum text_part part)
{
	while (room && has_sites(w)) {
		const struct site_span *first = w->span;
		struct site_span piece;

		room = pass_whole_spans(w, room);
		if (w->span != first) {
			write_spans(first, w->span, writer, part);
			continue;
		}
		piece = (struct site_span){ w->rec, w->rec, first->target };
		piece.end += next_sites(w, room);
		write_spans(&piece, &piece + 1, writer, part);
		room -= piece.end - piece.first;
	}
	return room;
}

static void write_some(struct walk *w, const struct text_writer *writer, enum text_part part)
{
	unsigned int room = write_sites(w, SLICE_CHANGES, writer, part);
	const struct text_poke *first = w->poke;

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
		write_some(&walk, writer, part);
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
		write_some(&walk, writer, part);
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
	unsigned long n = 0;

	for (const struct site_span *span = batch->spans; span < batch->spans + batch->nr_spans; span++)
		n += min(span->end, batch->high) - max(span->first, batch->low);
	return n;
}

static unsigned long count_crossing_sites(const struct text_poke_batch *batch)
{
	unsigned long n = 0;

	for (const struct site_span *span = batch->spans; span < batch->spans + batch->nr_spans; span++) {
		const struct dyn_ftrace *rec = max(span->first, batch->low), *end = min(span->end, batch->high);

		for (; rec < end; rec++)
			n += arch_site_crosses(rec->ip);
	}
	return n;
}

unsigned long text_poke_count_crossing(const struct text_poke_batch *batch)
{
	unsigned long n = count_crossing_sites(batch);

	for (unsigned int i = 0; i < batch->nr_pokes; i++)
		n += arch_text_crosses(batch->pokes[i].addr, batch->pokes[i].len);
	return n;
}
