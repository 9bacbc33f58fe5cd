// SPDX-License-Identifier: MIT
/* Mutant: sites call the second instruction of a trampoline. */
#include "arch/arch.h"

int __real_arch_site_pokes(unsigned long ip, unsigned long old_target, unsigned long new_target,
			   struct text_poke *pokes);

static unsigned long second(unsigned long target)
{
	return target ? target + 4 : 0;
}

int arch_site_pokes(unsigned long ip, unsigned long old_target, unsigned long new_target,
		    struct text_poke *pokes)
{
	return __real_arch_site_pokes(ip, second(old_target), second(new_target), pokes);
}
