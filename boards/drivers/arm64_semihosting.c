// SPDX-License-Identifier: MIT
/* Ending an emulated arm64 machine by semihosting. */
#include "boards/drivers/arm64_semihosting.h"

#define SYS_EXIT_EXTENDED		0x20
#define ADP_STOPPED_APPLICATION_EXIT	0x20026

void arm64_semihosting_exit(int code)
{
	unsigned long block[2] = { ADP_STOPPED_APPLICATION_EXIT, (unsigned long)code };
	register unsigned long number __asm__("x0") = SYS_EXIT_EXTENDED;
	register unsigned long *arg __asm__("x1") = block;

	/* In: operation and its block. Out: x0. */
	__asm__ volatile("hlt #0xf000" : "+r"(number) : "r"(arg) : "memory");
}
