// SPDX-License-Identifier: MIT
/* What vectors.S calls, each with the interrupted context and interrupts off. */
#pragma once

#include "base/types.h"

struct pt_regs;

void arm64_sync(struct pt_regs *regs);
void arm64_irq(struct pt_regs *regs);
__noreturn void arm64_serror(struct pt_regs *regs);
__noreturn void arm64_bad_entry(struct pt_regs *regs);
__noreturn void arm64_stack_overflow(struct pt_regs *regs);

extern char arm64_vectors[];
