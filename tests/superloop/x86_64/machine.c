// SPDX-License-Identifier: MIT
/* QEMU pc: 16550 UART at its port, and isa-debug-exit to end. */
#include "tests/superloop/machine.h"

#define COM1		0x3f8
#define DEBUG_EXIT	0xf4

void machine_putc(char c)
{
	__asm__ volatile("outb %0, %1" : : "a"(c), "Nd"((u16)COM1));
}

void machine_exit(int code)
{
	for (;;)
		__asm__ volatile("outl %0, %1" : : "a"(code), "Nd"((u16)DEBUG_EXIT));
}
