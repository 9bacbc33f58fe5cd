// SPDX-License-Identifier: MIT
/* A step of an unwinder that the recording ISA does not have. */
#pragma once

struct unwind_frame {
	unsigned long pc, sp, fp;
	unsigned long stack_low, stack_high;
};
