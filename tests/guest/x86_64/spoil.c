// SPDX-License-Identifier: MIT
/* What a C function may destroy on x86-64: everything but the callee-saved registers. */
#include "tests/guest/spoil.h"

#include "base/types.h"

notrace void spoil_registers(void)
{
	__asm__ volatile("movq $-1, %%rax\n\t"
			 ".irp reg, rcx, rdx, rsi, rdi, r8, r9, r10, r11\n\t"
			 "movq %%rax, %%\\reg\n\t"
			 ".endr\n\t"
			 "addq %%rax, %%rax"
			 : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}
