// SPDX-License-Identifier: MIT
/* ARM SP804 dual timer: its first timer as a periodic tick (ARM DDI 0271). */
#pragma once

#include "base/types.h"

/**
 * sp804_start() - interrupt periodically
 * @base: the timer's registers
 * @input_hz: its clock
 * @hz: interrupts a second, 1 .. @input_hz
 */
void sp804_start(unsigned long base, u32 input_hz, u32 hz);

/* Is it this timer that asks? Acknowledges when it is. Interrupts off. */
bool sp804_acknowledge(unsigned long base);
