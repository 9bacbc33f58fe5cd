// SPDX-License-Identifier: MIT
/* Mutant: text can be written through its alias for ever once it was opened. */
#include "kernel/port.h"

void mmu_text_close(unsigned long cookie)
{
}
