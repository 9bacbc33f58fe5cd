// SPDX-License-Identifier: MIT
/*
 * The local APIC (Intel SDM 3A, chapter 11), by its registers in memory
 * (xAPIC): end of interrupt, IPIs, NMIs, starting CPUs, the tick timer.
 */
#pragma once

#include "base/types.h"

/*
 * Where the registers are; before any other call. Return: 0, or -EOPNOTSUPP
 * when firmware has left it in x2APIC mode, where there are none in memory.
 */
int __must_check lapic_init(unsigned long base);

/* Switch on the calling CPU's. Interrupts off. */
void lapic_init_cpu(void);

/* APIC id of the calling CPU. */
unsigned int lapic_id(void);

void lapic_eoi(void);

/* Send to one CPU by its APIC id. Any context but an NMI. */
void lapic_send_vector(unsigned int apic_id, unsigned int vector);
void lapic_send_nmi(unsigned int apic_id);
void lapic_send_init(unsigned int apic_id);
void lapic_send_startup(unsigned int apic_id, unsigned long page);

/* Let the timer of this CPU run down once from its greatest value without interrupt; read it. */
void lapic_timer_free_run(void);
u32 lapic_timer_count(void);

/* An interrupt @vector every @period ticks of the timer, on this CPU. */
void lapic_timer_periodic(unsigned int vector, u32 period);
