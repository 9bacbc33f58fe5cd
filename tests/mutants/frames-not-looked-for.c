// SPDX-License-Identifier: MIT
/* Mutant: a user that goes is taken to have left no frame, and its return stub is freed. */
#include "core/fgraph_stack.h"

bool fgraph_stacks_number(unsigned int index, unsigned long gops)
{
	return false;
}

bool fgraph_stacks_have(unsigned int index)
{
	return false;
}
