// SPDX-License-Identifier: MIT
/* I/O APIC: an index register and a data window, two words an input. */
#include "boards/drivers/ioapic.h"
#include "boards/drivers/mmio.h"

#include <port/io.h>

#define INDEX		0x00
#define WINDOW		0x10
#define REG_VERSION	0x01	/* bits 16-23: highest input */
#define REG_INPUT	0x10	/* + 2 * input: low word, then high word */
#define  INPUT_LOW	(1 << 13)
#define  INPUT_LEVEL	(1 << 15)
#define  INPUT_MASKED	(1 << 16)

#define PIC1		0x20
#define PIC2		0xa0
#define PIC_START	0x11	/* ICW1: cascade, ICW4 follows */
#define PIC_8086	0x01	/* ICW4 */

static unsigned long base;

void pic_disable(unsigned int vector)
{
	outb(PIC1, PIC_START);
	outb(PIC2, PIC_START);
	outb(PIC1 + 1, vector);
	outb(PIC2 + 1, vector + 8);
	outb(PIC1 + 1, 1 << 2);		/* the second is on input 2 */
	outb(PIC2 + 1, 2);
	outb(PIC1 + 1, PIC_8086);
	outb(PIC2 + 1, PIC_8086);
	outb(PIC1 + 1, 0xff);
	outb(PIC2 + 1, 0xff);
}

static u32 reg_read(unsigned int reg)
{
	mmio_write32(base + INDEX, reg);
	return mmio_read32(base + WINDOW);
}

static void reg_write(unsigned int reg, u32 value)
{
	mmio_write32(base + INDEX, reg);
	mmio_write32(base + WINDOW, value);
}

void ioapic_init(unsigned long address)
{
	unsigned int highest;

	base = address;
	highest = reg_read(REG_VERSION) >> 16 & 0xff;
	for (unsigned int pin = 0; pin <= highest; pin++)
		reg_write(REG_INPUT + 2 * pin, INPUT_MASKED);
}

/* Destination first: the low word unmasks. */
void ioapic_route(unsigned int pin, unsigned int vector, unsigned int apic_id, bool low, bool level)
{
	reg_write(REG_INPUT + 2 * pin + 1, apic_id << 24);
	reg_write(REG_INPUT + 2 * pin, vector | (low ? INPUT_LOW : 0) | (level ? INPUT_LEVEL : 0));
}
