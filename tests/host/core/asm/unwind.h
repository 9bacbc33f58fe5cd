// SPDX-License-Identifier: MIT
/* A step of the pretended unwinder: tests/host/core/fake.c scripts its steps. */
#pragma once

struct unwind_frame {
	unsigned long pc, sp, fp;
	unsigned long stack_low, stack_high;
};
