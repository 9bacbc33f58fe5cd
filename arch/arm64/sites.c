// SPDX-License-Identifier: MIT
/* Many sites at once: the loops of a batch. */
#include "text.h"

#include "base/bug.h"
#include "site_words.h"

const struct dyn_ftrace *arch_sites_verify(const struct site_span *span, const struct site_span *last,
					   const struct dyn_ftrace *table, const unsigned long *targets)
{
	for (; span < last; span++) {
		const struct dyn_ftrace *rec = span->first, *end = span->end;
		const unsigned long *at = targets + (rec - table);

		do {
			unsigned long target = *at;

			/* Neighbours mostly have the same. */
			do {
				unsigned long call = rec->ip + CALL_OFFSET;
				const u32 *word = host_text_alias(call);

				if (unlikely(*word != site_word(call, target)))
					return rec;
			} while (++rec < end && *++at == target);
		} while (rec < end);
	}
	return NULL;
}

static always_inline void write_span(const struct site_span *span, unsigned long target, bool log)
{
	const struct dyn_ftrace *rec = span->first, *end = span->end;

	text_cache_ops += end - rec;
	do
		write_word(rec->ip + CALL_OFFSET, site_word(rec->ip + CALL_OFFSET, target), log);
	while (++rec < end);
}

/* Under text_mutex nobody writes anything else there: reading and writing needs no exclusive pair. */
static always_inline void touch_span(const struct site_span *span, bool log)
{
	const struct dyn_ftrace *rec = span->first, *end = span->end;

	do {
		volatile u8 *alias = host_text_alias(rec->ip + CALL_OFFSET);

		*alias = *alias;
		if (log)
			text_step_note(TEXT_STEP_TOUCH, rec->ip + CALL_OFFSET);
	} while (++rec < end);
}

/* On, off, and with a record of the steps: each has a loop of its own. */
static always_inline void write_spans(const struct site_span *span, const struct site_span *last, bool log)
{
	for (; span < last; span++) {
		if (log)
			write_span(span, span->target, true);
		else if (span->target)
			write_span(span, span->target, false);
		else
			write_span(span, 0, false);
	}
}

static always_inline void touch_spans(const struct site_span *span, const struct site_span *last, bool log)
{
	for (; span < last; span++)
		touch_span(span, log);
}

void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	BUG_ON(part > TEXT_PART_TOUCH);
	if (unlikely(text_step_log))
		part == TEXT_PART_TOUCH ? touch_spans(span, last, true) : write_spans(span, last, true);
	else if (part == TEXT_PART_TOUCH)
		touch_spans(span, last, false);
	else
		write_spans(span, last, false);
}
