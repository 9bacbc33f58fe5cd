// SPDX-License-Identifier: MIT
/* A call in single steps: the trap flag, on this CPU, with an interrupt table of the test's. */
#pragma once

#include "base/types.h"
#include "arch/arch.h"

/* Call @function; before each of its instructions step_taken() sees the registers. */
unsigned long step_call(unsigned long (*function)(unsigned long a, unsigned long b), unsigned long a,
			unsigned long b);
void step_taken(const struct pt_regs *regs);

/* Gate of the debug exception while step_call() runs. */
void step_entry(void);
