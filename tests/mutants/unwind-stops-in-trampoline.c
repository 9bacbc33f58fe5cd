// SPDX-License-Identifier: MIT
/* Mutant: a backtrace ends where it meets a trampoline. */
#include "arch/arch.h"

bool arch_unwind_trampoline(struct unwind_frame *frame, const struct trampoline_frame *desc,
			    unsigned int offset, unsigned long *parent)
{
	return false;
}
