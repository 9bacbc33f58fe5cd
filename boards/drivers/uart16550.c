// SPDX-License-Identifier: MIT
/* 16550 UART. Registers: National Semiconductor PC16550D. */
#include "boards/drivers/uart16550.h"

#include <port/io.h>

#include "kernel/board.h"

#define DATA		0	/* with DLAB: divisor, low byte */
#define IER		1	/* with DLAB: divisor, high byte */
#define  IER_RECEIVED	0x01
#define FCR		2
#define  FCR_ENABLE	0x07	/* on, both emptied, interrupt from the first byte on */
#define LCR		3
#define  LCR_8N1	0x03
#define  LCR_DLAB	0x80
#define MCR		4
#define  MCR_DTR_RTS	0x03
#define  MCR_OUT2	0x08	/* on a PC: lets the interrupt through */
#define LSR		5
#define  LSR_RECEIVED	0x01
#define  LSR_OVERRUN	0x02
#define  LSR_ROOM	0x20

static u16 base;

void uart16550_init(u16 port)
{
	base = port;
	outb(base + IER, 0);
	outb(base + LCR, LCR_DLAB);
	outb(base + DATA, 1);		/* 115200 baud */
	outb(base + IER, 0);
	outb(base + LCR, LCR_8N1);
	outb(base + FCR, FCR_ENABLE);
	outb(base + MCR, MCR_DTR_RTS);
}

/* Where there is no UART the bus reads as ones: there is room, so nobody waits. */
static void put(u8 byte)
{
	while (!(inb(base + LSR) & LSR_ROOM))
		;
	outb(base + DATA, byte);
}

void uart16550_write(const char *text, size_t n)
{
	for (; n; n--, text++) {
		if (*text == '\n')
			put('\r');
		put(*text);
	}
}

int uart16550_read(void)
{
	u8 lsr = inb(base + LSR);

	if (lsr == 0xff || !(lsr & LSR_RECEIVED))
		return -1;
	return inb(base + DATA) | (lsr & LSR_OVERRUN ? BOARD_CONSOLE_LOST : 0);
}

void uart16550_listen(bool on)
{
	outb(base + MCR, MCR_DTR_RTS | MCR_OUT2);
	outb(base + IER, on ? IER_RECEIVED : 0);
}
