// SPDX-License-Identifier: MIT
/* Mutant: changed text is not touched. */
#include "arch/arch.h"

void __real_arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part);

void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	if (part != TEXT_PART_TOUCH)
		__real_arch_sites_write(span, last, part);
}
