// SPDX-License-Identifier: MIT
/* Mutant: sites call the second instruction of a trampoline. */
#include "arch/arch.h"

void __real_arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
			     unsigned long target, enum text_part part);

void arch_sites_write(const struct dyn_ftrace *rec, const struct dyn_ftrace *end,
		      unsigned long target, enum text_part part)
{
	__real_arch_sites_write(rec, end, target ? target + 4 : 0, part);
}
