// SPDX-License-Identifier: MIT
/* A step of the unwinder: the registers that .ARM.exidx tables restore. */
#pragma once

#include "base/types.h"

struct unwind_frame {
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;	/* = r[11] */
	unsigned long stack_low, stack_high;
	unsigned long lr;
	unsigned long r[13];	/* r4 to r11 are right in every frame */
	bool interrupted;	/* pc is no return address: may stand in a prologue; lr and r are all right */
};
