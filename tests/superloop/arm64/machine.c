// SPDX-License-Identifier: MIT
/* QEMU virt: PL011, and semihosting to end. */
#include "tests/superloop/machine.h"

#define PL011_DATA	((volatile u32 *)0x09000000)

void machine_putc(char c)
{
	*PL011_DATA = (u32)c;
}

void machine_exit(int code)
{
	u64 block[2] = { 0x20026, (u64)code };		/* ADP_Stopped_ApplicationExit */
	register u64 operation __asm__("x0") = 0x20;	/* SYS_EXIT_EXTENDED */
	register u64 argument __asm__("x1") = (u64)block;

	for (;;)
		__asm__ volatile("hlt #0xf000" : : "r"(operation), "r"(argument) : "memory");
}
