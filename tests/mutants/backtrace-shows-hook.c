// SPDX-License-Identifier: MIT
/* Mutant: a planted address is taken for a caller. */
#include "core/fgraph.h"

bool fgraph_is_planted(unsigned long pc)
{
	return false;
}
