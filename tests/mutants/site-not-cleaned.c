// SPDX-License-Identifier: MIT
/* Mutant: a site's words are stored, and recorded as such, and no cache hears of it. */
#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"
#include "base/string.h"

void __real_arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part);

static void store(unsigned long ip, unsigned long target)
{
	struct text_poke pokes[ARCH_SITE_POKES];
	unsigned int n = arch_site_pokes(ip, 0, target, pokes);

	for (struct text_poke *poke = pokes; poke < pokes + n; poke++) {
		memcpy(host_text_alias(poke->addr), poke->new, poke->len);
		text_step(TEXT_STEP_WRITE, poke->addr);
	}
}

void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	if (part == TEXT_PART_TOUCH) {
		__real_arch_sites_write(span, last, part);
		return;
	}
	for (; span < last; span++)
		for (const struct dyn_ftrace *rec = span->first; rec < span->end; rec++)
			store(rec->ip, span->target);
}
