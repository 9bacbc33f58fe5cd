// SPDX-License-Identifier: MIT
/* Mutant: the instruction caches are left alone. */
#include "arch/arch.h"
#include "arch/text_step.h"

void arch_text_flush(void)
{
	text_step(TEXT_STEP_DRAIN, 0);
	text_step(TEXT_STEP_SYNC, 0);
}
