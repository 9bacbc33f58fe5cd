/* SPDX-License-Identifier: MIT */
/* Numbers shared by boot code, vectors and C: processor modes and our SWIs. */
#pragma once

#define MODE_IRQ	0x12
#define MODE_SVC	0x13
#define MODE_ABT	0x17
#define MODE_UND	0x1b
#define IRQ_FIQ_OFF	0xc0	/* CPSR.I and .F */

/* svc #SWI_SOFT_IRQ: r0 = function, r1 = its argument; see port_soft_irq(). */
#define SWI_SOFT_IRQ	0x42

/* An emulator or debugger takes this one before we see it, when there is one. */
#define SWI_SEMIHOSTING	0x123456
#define SWI_NONE	0xffffffff	/* not a number that fits a SWI */
