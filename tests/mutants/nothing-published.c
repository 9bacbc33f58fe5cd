// SPDX-License-Identifier: MIT
/* Mutant: trap handlers are not told of the batch. */
#include "patch/method.h"

void text_poke_publish(const struct text_poke_batch *batch)
{
}
