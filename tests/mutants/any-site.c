// SPDX-License-Identifier: MIT
/* Mutant: every record is taken for a site, whatever its place and bytes. */
#include "arch/arch.h"

int arch_site_check(unsigned long ip, const struct kallsym *sym)
{
	return 0;
}
