// SPDX-License-Identifier: MIT
/* Mutant: a set that nobody uses any more is kept, and its code with it. */
#include "core/ops_set.h"

void ops_set_put(struct ops_set *set, struct ops_set **dying)
{
	if (set->users > 1)
		set->users--;
}
