// SPDX-License-Identifier: MIT
/* Mutant: nobody is waited for. */
#include "core/quiesce.h"

void quiesce(struct address_range *ranges, unsigned int nr)
{
}
