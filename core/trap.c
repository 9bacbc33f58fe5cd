// SPDX-License-Identifier: MIT
/* Traps that the host cannot explain, handed to who may have set them. */
#include "core/baretrace.h"
#include "patch/text_poke.h"

bool baretrace_trap(struct pt_regs *regs, enum baretrace_cause cause)
{
	return cause == BARETRACE_CAUSE_BREAKPOINT && text_poke_trap(regs);
}
