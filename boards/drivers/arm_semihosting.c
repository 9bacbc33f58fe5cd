// SPDX-License-Identifier: MIT
/* Ending an emulated ARM machine by semihosting. */
#include "boards/drivers/arm_semihosting.h"

#define SYS_EXIT_EXTENDED		0x20
#define ADP_STOPPED_APPLICATION_EXIT	0x20026

void arm_semihosting_exit(int code)
{
	unsigned long block[2] = { ADP_STOPPED_APPLICATION_EXIT, (unsigned long)code };
	register unsigned long number __asm__("r0") = SYS_EXIT_EXTENDED;
	register unsigned long *arg __asm__("r1") = block;

	/*
	 * In: operation and its block. Out: r0. We run in SVC mode, where the SWI
	 * overwrites lr when it reaches our own vector.
	 */
	__asm__ volatile("svc #0x123456" : "+r"(number) : "r"(arg) : "lr", "cc", "memory");
}
