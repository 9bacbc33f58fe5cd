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

		while (rec < end) {
			unsigned long target = *at;
			u32 first = first_word(target);

			/* Neighbours mostly have the same. */
			do {
				const u32 *site = host_text_alias(rec->ip);

				if (unlikely(site[0] != first || site[1] != second_word(rec->ip, target)))
					return rec;
			} while (++rec < end && *++at == target);
		}
	}
	return NULL;
}

static always_inline void write_span(const struct site_span *span, unsigned long target, bool log)
{
	const struct dyn_ftrace *rec = span->first, *end = span->end;
	unsigned int lines = end - rec;

	while (rec < end) {
		unsigned long ip = (rec++)->ip;

		if (write_pair(ip, first_word(target), second_word(ip, target), log))
			lines++;
	}
	text_cache_ops += lines * LINE_OPS;
}

static always_inline void touch_span(const struct site_span *span, bool log)
{
	const struct dyn_ftrace *rec = span->first, *end = span->end;

	do {
		touch(rec->ip, log);
		touch(rec->ip + CALL_OFFSET, log);
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
