/* SPDX-License-Identifier: MIT */
/*
 * Versatile PB: where the image lies and where the devices are (ARM DUI 0225, chapter 4).
 * Plain #defines: the linker script reads this file too.
 */
#pragma once

/* Where a boot loader puts a raw Linux kernel on this board, and enters it. */
#define BOARD_LOAD_ADDRESS	0x10000

#define VERSATILE_SYS_24MHZ	0x1000005c	/* free-running, 24 MHz, 32 bits */
#define VERSATILE_DEVICES	0x10000000	/* all core-module and peripheral registers ... */
#define VERSATILE_DEVICES_SIZE	0x00200000	/* ... lie in these 2 MiB */
#define VERSATILE_VIC		0x10140000	/* PL190 */
#define VERSATILE_SCTRL		0x101e0000	/* SP810 system controller: the timers' clocks */
#define VERSATILE_TIMER0	0x101e2000	/* SP804 */
#define VERSATILE_UART0		0x101f1000	/* PL011 */

#define VERSATILE_IRQ_SOFT	0		/* nothing but software is wired to it */
#define VERSATILE_IRQ_TIMER01	4
#define VERSATILE_IRQ_UART0	12

#define VERSATILE_TIMER_HZ	1000000
#define VERSATILE_CLOCK_HZ	24000000
