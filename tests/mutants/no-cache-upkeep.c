// SPDX-License-Identifier: MIT
/* Mutant: words are stored to text and the data cache is left alone. */
#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	volatile u8 *alias = host_text_alias(addr);

	for (unsigned int i = 0; i < len; i++)
		alias[i] = bytes[i];
	text_step(TEXT_STEP_WRITE, addr);
}
