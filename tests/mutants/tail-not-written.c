// SPDX-License-Identifier: MIT
/* Mutant: the tail of an instruction keeps its old bytes. */
#include "arch/arch.h"

void __real_arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
				 enum text_part part);

void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	if (part != TEXT_PART_TAIL)
		__real_arch_text_write_part(poke, end, part);
}
