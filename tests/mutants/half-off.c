// SPDX-License-Identifier: MIT
/* Mutant: of a site's two words only the first is switched off. */
#include "arch/arch.h"

int __real_arch_site_pokes(unsigned long ip, unsigned long old_target, unsigned long new_target,
			   struct text_poke *pokes);

int arch_site_pokes(unsigned long ip, unsigned long old_target, unsigned long new_target,
		    struct text_poke *pokes)
{
	int n = __real_arch_site_pokes(ip, old_target, new_target, pokes);

	return n == 2 && !new_target ? 1 : n;
}
