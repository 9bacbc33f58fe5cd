// SPDX-License-Identifier: MIT
/* The I/O APIC (Intel 82093AA), and its forerunners put to silence. */
#pragma once

#include "base/types.h"

/* Mask the two 8259s for good, their vectors moved from @vector on, away from the exceptions. */
void pic_disable(unsigned int vector);

/* Mask every input. */
void ioapic_init(unsigned long base);

/* Let input @pin raise @vector on the CPU with @apic_id. */
void ioapic_route(unsigned int pin, unsigned int vector, unsigned int apic_id, bool low, bool level);
