// SPDX-License-Identifier: MIT
/* A step of the unwinder: A64 frame records {x29 of the caller, return address}. */
#pragma once

#include "base/types.h"

struct unwind_frame {
	unsigned long pc;
	unsigned long sp;	/* exact when interrupted, else the lowest it can be */
	unsigned long fp;	/* x29: address of the youngest frame record */
	unsigned long stack_low, stack_high;
	/* The innermost function of an interrupted context, NULL after the first step. */
	const struct pt_regs *regs;
};
