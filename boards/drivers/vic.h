// SPDX-License-Identifier: MIT
/* ARM PL190 vectored interrupt controller, used without its vectors (ARM DDI 0181). */
#pragma once

#include "base/types.h"

/* All sources masked, all of them IRQ (none FIQ). Once, interrupts off. */
void vic_init(unsigned long base);

/* Let source @irq (0 .. 31) through, or no longer. */
void vic_enable(unsigned int irq);

/* Bit mask of the sources that ask now and are let through. */
u32 vic_pending(void);

/* Raise source @irq by software, and take that back. Any context. */
void vic_soft_raise(unsigned int irq);
void vic_soft_clear(unsigned int irq);
