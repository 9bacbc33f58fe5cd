// SPDX-License-Identifier: MIT
/* The vectors and what C they call; kernel/arm/vectors.S. */
#pragma once

#include "base/types.h"

#define VECTORS_HIGH	0xffff0000ul

struct pt_regs;

extern const u32 arm_vectors[], arm_vectors_end[];	/* one page, of which these words are used */

/* Interrupts off, @regs on the interrupted stack (trap_data_abort: perhaps the fault stack). */
void trap_irq(struct pt_regs *regs);
void trap_undefined(struct pt_regs *regs);
void trap_prefetch_abort(struct pt_regs *regs);
void trap_data_abort(struct pt_regs *regs);
void trap_svc(struct pt_regs *regs);
