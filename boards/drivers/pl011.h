// SPDX-License-Identifier: MIT
/* ARM PL011 UART: polled output, input by poll or interrupt. One a board. */
#pragma once

#include "base/types.h"

/* Choose the device and switch it on; line settings stay as firmware left them. Before any other call. */
void pl011_init(unsigned long base);

/* Write @n bytes, a carriage return before each newline; waits for room. Any context. */
void pl011_write(const char *text, size_t n);

/* The next byte received, BOARD_CONSOLE_LOST (kernel/board.h) with it; -1 when there is none: clears the interrupt. */
int pl011_read(void);

/* Does a received byte raise the UART's interrupt? Reading until -1 lowers it. */
void pl011_listen(bool on);
