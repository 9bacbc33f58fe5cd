/* SPDX-License-Identifier: MIT */
/* PC: where the image lies and the addresses that every PC has. The linker script reads this too. */
#pragma once

#define BOARD_LOAD_ADDRESS	0x100000

#define PC_LOW_MEMORY_END	0xa0000		/* real mode reaches RAM below this */
#define PC_COM1			0x3f8
#define PC_COM1_IRQ		4
#define PC_EXIT_PORT		0xf4		/* QEMU: -device isa-debug-exit,iobase=0xf4,iosize=4 */
