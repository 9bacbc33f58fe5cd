// SPDX-License-Identifier: MIT
/* QEMU versatilepb: PL011, and semihosting to end. */
#include "tests/superloop/machine.h"

#define PL011_DATA	((volatile u32 *)0x101f1000)

void machine_putc(char c)
{
	*PL011_DATA = (u32)c;
}

void machine_exit(int code)
{
	u32 block[2] = { 0x20026, (u32)code };		/* ADP_Stopped_ApplicationExit */
	register u32 operation __asm__("r0") = 0x20;	/* SYS_EXIT_EXTENDED */
	register u32 argument __asm__("r1") = (u32)block;

	for (;;)
		__asm__ volatile("svc 0x123456" : : "r"(operation), "r"(argument) : "memory", "lr");
}
