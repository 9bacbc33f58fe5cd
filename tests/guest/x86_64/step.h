// SPDX-License-Identifier: MIT
/* A call in single steps: the trap flag, on this CPU, with an interrupt table of the test's. */
#pragma once

#include "base/types.h"
#include "arch/arch.h"

typedef unsigned long (*step_fn)(unsigned long a, unsigned long b);

/* Call @function(@a, 0); before each of its instructions @taken sees the registers. Interrupts are off in both. */
void step_through(step_fn function, unsigned long a, void (*taken)(const struct pt_regs *regs));

/* step.S: the call; and the gate of the debug exception meanwhile, which calls step_taken(). */
unsigned long step_call(step_fn function, unsigned long a, unsigned long b);
void step_entry(void);
void step_taken(const struct pt_regs *regs);
