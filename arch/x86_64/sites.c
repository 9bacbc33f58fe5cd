// SPDX-License-Identifier: MIT
/* Many sites at once: the loops of a batch. */
#include "text.h"

#include "site_words.h"

const struct dyn_ftrace *arch_sites_verify(const struct site_span *span, const struct site_span *last,
					   const struct dyn_ftrace *table, const unsigned long *targets)
{
	for (; span < last; span++) {
		const struct dyn_ftrace *rec = span->first, *end = span->end;
		const unsigned long *at = targets + (rec - table);

		while (rec < end) {
			unsigned long target = *at;
			u8 head = site_head(target);

			/* Neighbours mostly have the same. */
			do {
				const u8 *site = host_text_alias(rec->ip);
				u32 tail;

				__builtin_memcpy(&tail, site + 1, sizeof(tail));
				if (unlikely(site[0] != head || tail != site_tail(rec->ip, target)))
					return rec;
			} while (++rec < end && *++at == target);
		}
	}
	return NULL;
}

static always_inline void write_part(unsigned long ip, unsigned long target, enum text_part part, bool log)
{
	if (part == TEXT_PART_TOUCH)
		touch(ip, log);
	if (part == TEXT_PART_BREAKPOINT)
		write_byte(ip, X86_INT3, log);
	if (part == TEXT_PART_WHOLE || part == TEXT_PART_TAIL)
		write_tail(ip + 1, site_tail(ip, target), log);
	if (part == TEXT_PART_WHOLE || part == TEXT_PART_HEAD)
		write_byte(ip, site_head(target), log);
}

static always_inline void write_span(const struct site_span *span, unsigned long target, enum text_part part, bool log)
{
	const struct dyn_ftrace *rec = span->first, *end = span->end;

	do
		write_part(rec->ip, target, part, log);
	while (++rec < end);
}

/* On, off, and with a record of the steps: each has a loop of its own. */
static always_inline void write_spans(const struct site_span *span, const struct site_span *last, enum text_part part,
				      bool log)
{
	for (; span < last; span++) {
		if (log)
			write_span(span, span->target, part, true);
		else if (span->target)
			write_span(span, span->target, part, false);
		else
			write_span(span, 0, part, false);
	}
}

static always_inline void write_all(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	if (unlikely(text_step_log))
		write_spans(span, last, part, true);
	else
		write_spans(span, last, part, false);
}

/* One loop for each part. */
void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	switch (part) {
	case TEXT_PART_WHOLE:
		write_all(span, last, TEXT_PART_WHOLE);
		break;
	case TEXT_PART_TOUCH:
		write_all(span, last, TEXT_PART_TOUCH);
		break;
	case TEXT_PART_BREAKPOINT:
		write_all(span, last, TEXT_PART_BREAKPOINT);
		break;
	case TEXT_PART_TAIL:
		write_all(span, last, TEXT_PART_TAIL);
		break;
	case TEXT_PART_HEAD:
		write_all(span, last, TEXT_PART_HEAD);
		break;
	}
}
