// SPDX-License-Identifier: MIT
/* Mutant: sites call the second instruction of a trampoline. */
#include "arch/arch.h"

void __real_arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part);

void arch_sites_write(const struct site_span *span, const struct site_span *last, enum text_part part)
{
	for (; span < last; span++) {
		struct site_span moved = { span->first, span->end, span->target ? span->target + 4 : 0 };

		__real_arch_sites_write(&moved, &moved + 1, part);
	}
}
