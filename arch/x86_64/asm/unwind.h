// SPDX-License-Identifier: MIT
/* Where an unwinder stands: frame pointers lead from a function to its caller. */
#pragma once

#include "base/types.h"

struct unwind_frame {
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;		/* rbp */
	unsigned long stack_low;	/* the walk stays in [low, high) */
	unsigned long stack_high;
	bool interrupted;		/* pc is not a return address: may stand in a prologue */
};
