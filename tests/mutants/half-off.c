// SPDX-License-Identifier: MIT
/* Mutant: of a site's two words only the first is switched off. */
#include "arch/arch.h"

void __real_arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part);

void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	struct text_poke pokes[ARCH_SITE_POKES];

	for (; span < last; span++) {
		if (span->target)
			__real_arch_sites_write(span, span + 1, part);
		for (const struct dyn_ftrace *rec = span->first; !span->target && rec < span->end; rec++) {
			arch_site_pokes(rec->ip, 0, 0, pokes);
			arch_text_write(pokes[0].addr, pokes[0].new, pokes[0].len);
		}
	}
}
