// SPDX-License-Identifier: MIT
/* Mutant: a batch makes no rounds but those that park CPUs. */
#include "patch/method.h"

void text_poke_sync(void)
{
}
