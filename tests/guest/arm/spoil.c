// SPDX-License-Identifier: MIT
/* What a C function may destroy on ARM: everything but the callee-saved registers. */
#include "tests/guest/spoil.h"

#include "base/types.h"

notrace void spoil_registers(void)
{
	__asm__ volatile("mvn r0, #0x5a\n\t"
			 "mvn r1, r0\n\t"
			 "mov r2, r0\n\t"
			 "mvn r3, r0\n\t"
			 "mov ip, r1\n\t"
			 "cmp r0, r1"
			 : : : "r0", "r1", "r2", "r3", "ip", "cc");
}
