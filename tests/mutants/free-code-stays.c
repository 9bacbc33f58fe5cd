// SPDX-License-Identifier: MIT
/* Mutant: freed code is left as it was. */
#include "patch/code_pool.h"

void code_pool_free(struct code_block *block)
{
}
