// SPDX-License-Identifier: MIT
/* Mutant: of a site's two words only the first is switched off. */
#include "arch/arch.h"

void __real_arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
			     unsigned long target, enum text_part part);

void arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
		      unsigned long target, enum text_part part)
{
	struct text_poke pokes[ARCH_SITE_POKES];

	if (target)
		__real_arch_sites_write(rec, end, target, part);
	for (; !target && rec < end; rec++) {
		arch_site_pokes(rec->ip, 0, 0, pokes);
		arch_text_write(pokes[0].addr, pokes[0].new, pokes[0].len);
	}
}
