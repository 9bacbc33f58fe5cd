// SPDX-License-Identifier: MIT
/* What a C function may destroy on arm64: everything but the callee-saved registers. */
#include "tests/guest/spoil.h"

#include "base/types.h"

notrace void spoil_registers(void)
{
	__asm__ volatile(".irp reg, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17\n\t"
			 "mov x\\reg, #0xbad\n\t"
			 ".endr\n\t"
			 "cmp x0, x1"
			 : : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
			       "x13", "x14", "x15", "x16", "x17", "cc");
}
