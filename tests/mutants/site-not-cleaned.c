// SPDX-License-Identifier: MIT
/* Mutant: a site's words are stored, and recorded as such, and no cache hears of it. */
#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"
#include "base/string.h"

void __real_arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
			     unsigned long target, enum text_part part);

static void store(const struct text_poke *poke)
{
	memcpy(host_text_alias(poke->addr), poke->new, poke->len);
	text_step(TEXT_STEP_WRITE, poke->addr);
}

void arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
		      unsigned long target, enum text_part part)
{
	struct text_poke pokes[ARCH_SITE_POKES];

	if (part == TEXT_PART_TOUCH) {
		__real_arch_sites_write(rec, end, target, part);
		return;
	}
	for (; rec < end; rec++) {
		unsigned int n = arch_site_pokes(rec->ip, 0, target, pokes);

		for (unsigned int i = 0; i < n; i++)
			store(&pokes[i]);
	}
}
