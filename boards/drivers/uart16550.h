// SPDX-License-Identifier: MIT
/* 16550 UART behind I/O ports: polled output, input by poll or interrupt. One a board. */
#pragma once

#include "base/types.h"

/* 115200 8N1, FIFOs on, no interrupts. Before any other call. */
void uart16550_init(u16 port);

/* Write @n bytes, a carriage return before each newline; waits for room. Any context. */
void uart16550_write(const char *text, size_t n);

/* The next byte received, BOARD_CONSOLE_LOST (kernel/board.h) with it; -1 when there is none. */
int uart16550_read(void);

/* Does a received byte raise the UART's interrupt? Reading until -1 lowers it. */
void uart16550_listen(bool on);
