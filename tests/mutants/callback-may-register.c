// SPDX-License-Identifier: MIT
/* Mutant: nobody notices that a caller is inside a callback. */
#include "core/context.h"

bool context_in_callback(void)
{
	return false;
}
