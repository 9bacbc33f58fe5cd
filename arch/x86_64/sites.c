// SPDX-License-Identifier: MIT
/* Many sites at once: the loops of a batch. */
#include "text.h"

#include "site_words.h"

const struct dyn_ftrace *arch_sites_verify(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
					   const unsigned long *targets)
{
	while (rec < end) {
		unsigned long target = *targets;
		u8 head = site_head(target);

		/* Neighbours mostly have the same. */
		do {
			const u8 *site = host_text_alias(rec->ip);
			u32 tail;

			__builtin_memcpy(&tail, site + 1, sizeof(tail));
			if (unlikely(site[0] != head || tail != site_tail(rec->ip, target)))
				return rec;
		} while (++rec < end && *++targets == target);
	}
	return end;
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

/* On, off, and with a record of the steps: each has a loop of its own. */
static always_inline void write_sites(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
				      unsigned long target, enum text_part part)
{
	if (unlikely(text_step_log)) {
		for (; rec < end; rec++)
			write_part(rec->ip, target, part, true);
	} else if (target) {
		for (; rec < end; rec++)
			write_part(rec->ip, target, part, false);
	} else {
		for (; rec < end; rec++)
			write_part(rec->ip, 0, part, false);
	}
}

/* One loop for each part. */
void arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
		      unsigned long target, enum text_part part)
{
	switch (part) {
	case TEXT_PART_WHOLE:
		write_sites(rec, end, target, TEXT_PART_WHOLE);
		break;
	case TEXT_PART_TOUCH:
		write_sites(rec, end, target, TEXT_PART_TOUCH);
		break;
	case TEXT_PART_BREAKPOINT:
		write_sites(rec, end, target, TEXT_PART_BREAKPOINT);
		break;
	case TEXT_PART_TAIL:
		write_sites(rec, end, target, TEXT_PART_TAIL);
		break;
	case TEXT_PART_HEAD:
		write_sites(rec, end, target, TEXT_PART_HEAD);
		break;
	}
}
