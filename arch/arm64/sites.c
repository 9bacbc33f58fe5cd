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

		/* Neighbours mostly have the same. */
		do {
			unsigned long call = rec->ip + CALL_OFFSET;
			const u32 *word = host_text_alias(call);

			if (unlikely(*word != site_word(call, target)))
				return rec;
		} while (++rec < end && *++targets == target);
	}
	return end;
}

static always_inline void write_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
				      unsigned long target, bool log)
{
	text_cache_ops += end - rec;
	for (; rec < end; rec++)
		write_word(rec->ip + CALL_OFFSET, site_word(rec->ip + CALL_OFFSET, target), log);
}

/* Under text_mutex nobody writes anything else there: reading and writing needs no exclusive pair. */
static always_inline void touch_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end, bool log)
{
	for (; rec < end; rec++) {
		volatile u8 *alias = host_text_alias(rec->ip + CALL_OFFSET);

		*alias = *alias;
		if (log)
			text_step_note(TEXT_STEP_TOUCH, rec->ip + CALL_OFFSET);
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
