// SPDX-License-Identifier: MIT
/* Many sites at once: the loops of a batch. */
#include "text.h"

#include "base/bug.h"
#include "site_words.h"

const struct dyn_ftrace *arch_sites_verify(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
					   const unsigned long *targets)
{
	while (rec < end) {
		unsigned long target = *targets;
		u32 first = first_word(target);

		/* Neighbours mostly have the same. */
		do {
			const u32 *site = host_text_alias(rec->ip);

			if (unlikely(site[0] != first || site[1] != second_word(rec->ip, target)))
				return rec;
		} while (++rec < end && *++targets == target);
	}
	return end;
}

static always_inline void write_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
				      unsigned long target, bool log)
{
	unsigned int lines = end - rec;

	while (rec < end) {
		unsigned long ip = (rec++)->ip;

		if (write_pair(ip, first_word(target), second_word(ip, target), log))
			lines++;
	}
	text_cache_ops += lines * LINE_OPS;
}

static always_inline void touch_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end, bool log)
{
	for (; rec < end; rec++) {
		touch(rec->ip, log);
		touch(rec->ip + CALL_OFFSET, log);
	}
}

/* On, off, and with a record of the steps: each has a loop of its own. */
void arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
		      unsigned long target, enum text_part part)
{
	BUG_ON(part > TEXT_PART_TOUCH);
	if (unlikely(text_step_log))
		part == TEXT_PART_TOUCH ? touch_sites(rec, end, true) : write_sites(rec, end, target, true);
	else if (part == TEXT_PART_TOUCH)
		touch_sites(rec, end, false);
	else if (target)
		write_sites(rec, end, target, false);
	else
		write_sites(rec, end, 0, false);
}
