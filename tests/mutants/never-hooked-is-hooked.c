// SPDX-License-Identifier: MIT
/* Mutant: functions that are not made to return are hooked like all others. */
#include "core/fgraph_users.h"

bool fgraph_never(unsigned long ip)
{
	return false;
}
