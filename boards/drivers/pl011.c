// SPDX-License-Identifier: MIT
/*
 * ARM PL011 UART.
 *
 * The baud rate is firmware's: we do not know the board's UART clock. Output
 * before pl011_init() is dropped, so that an early fault cannot fault again.
 */
#include "boards/drivers/pl011.h"

#include "boards/drivers/mmio.h"
#include "kernel/board.h"

#define UARTDR		0x00
#define UARTFR		0x18
#define UARTLCR_H	0x2c
#define UARTCR		0x30
#define UARTIMSC	0x38
#define UARTICR		0x44

#define DR_OVERRUN	(1u << 11)
#define FR_RXFE		(1u << 4)	/* nothing received */
#define FR_TXFF		(1u << 5)	/* no room to send */
#define LCR_H_FEN	(1u << 4)
#define LCR_H_8BIT	(3u << 5)
#define CR_ENABLE	(1u << 0 | 1u << 8 | 1u << 9)	/* UART, transmit, receive */
#define INT_RX		(1u << 4)
#define INT_RX_TIMEOUT	(1u << 6)	/* fewer bytes than the FIFO's trigger level */

static unsigned long uart;

void pl011_init(unsigned long base)
{
	uart = base;
	mmio_write32(uart + UARTIMSC, 0);
	mmio_write32(uart + UARTLCR_H, LCR_H_8BIT | LCR_H_FEN);
	mmio_write32(uart + UARTCR, CR_ENABLE);
}

static void put(char c)
{
	while (mmio_read32(uart + UARTFR) & FR_TXFF)
		;
	mmio_write32(uart + UARTDR, (u8)c);
}

void pl011_write(const char *text, size_t n)
{
	if (!uart)
		return;
	for (; n; n--, text++) {
		if (*text == '\n')
			put('\r');
		put(*text);
	}
}

int pl011_read(void)
{
	u32 data;

	if (mmio_read32(uart + UARTFR) & FR_RXFE) {
		mmio_write32(uart + UARTICR, INT_RX | INT_RX_TIMEOUT);
		/* A byte may have come between the look and the clearing. */
		if (mmio_read32(uart + UARTFR) & FR_RXFE)
			return -1;
	}
	data = mmio_read32(uart + UARTDR);
	return (data & 0xff) | (data & DR_OVERRUN ? BOARD_CONSOLE_LOST : 0);
}

void pl011_listen(bool on)
{
	mmio_write32(uart + UARTIMSC, on ? INT_RX | INT_RX_TIMEOUT : 0);
}
