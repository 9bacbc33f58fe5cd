// SPDX-License-Identifier: MIT
/*
 * Local APIC. An IPI is two register writes, destination and command; interrupts
 * are off in between, and the command before it has left.
 */
#include "boards/drivers/lapic.h"
#include "base/errno.h"
#include "boards/drivers/mmio.h"

#include <port/cpu.h>
#include <port/vector.h>

#define REG_ID			0x020
#define REG_TASK_PRIORITY	0x080
#define REG_EOI			0x0b0
#define REG_SPURIOUS		0x0f0
#define  SPURIOUS_ENABLE	(1 << 8)
#define REG_COMMAND		0x300
#define  COMMAND_NMI		(4 << 8)
#define  COMMAND_INIT		(5 << 8)
#define  COMMAND_STARTUP	(6 << 8)
#define  COMMAND_PENDING	(1 << 12)
#define  COMMAND_ASSERT		(1 << 14)
#define REG_DESTINATION		0x310
#define REG_LVT_TIMER		0x320
#define  LVT_MASKED		(1 << 16)
#define  TIMER_PERIODIC		(1 << 17)
#define REG_TIMER_INITIAL	0x380
#define REG_TIMER_CURRENT	0x390
#define REG_TIMER_DIVIDE	0x3e0
#define  TIMER_DIVIDE_BY_1	0xb

#define MSR_APIC_BASE		0x1b
#define APIC_BASE_X2APIC	(1 << 10)

static unsigned long base;

static u32 reg_read(unsigned int reg)
{
	return mmio_read32(base + reg);
}

static void reg_write(unsigned int reg, u32 value)
{
	mmio_write32(base + reg, value);
}

int lapic_init(unsigned long address)
{
	base = address;
	return x86_rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC ? -EOPNOTSUPP : 0;
}

void lapic_init_cpu(void)
{
	reg_write(REG_TASK_PRIORITY, 0);
	reg_write(REG_LVT_TIMER, LVT_MASKED);
	reg_write(REG_SPURIOUS, SPURIOUS_ENABLE | VECTOR_SPURIOUS);
}

unsigned int lapic_id(void)
{
	return reg_read(REG_ID) >> 24;
}

void lapic_eoi(void)
{
	reg_write(REG_EOI, 0);
}

static void send(unsigned int apic_id, u32 command)
{
	unsigned long flags = irq_save();

	while (reg_read(REG_COMMAND) & COMMAND_PENDING)
		cpu_relax();
	reg_write(REG_DESTINATION, apic_id << 24);
	reg_write(REG_COMMAND, command);
	irq_restore(flags);
}

void lapic_send_vector(unsigned int apic_id, unsigned int vector)
{
	send(apic_id, COMMAND_ASSERT | vector);
}

void lapic_send_nmi(unsigned int apic_id)
{
	send(apic_id, COMMAND_ASSERT | COMMAND_NMI);
}

void lapic_send_init(unsigned int apic_id)
{
	send(apic_id, COMMAND_ASSERT | COMMAND_INIT);
}

void lapic_send_startup(unsigned int apic_id, unsigned long page)
{
	send(apic_id, COMMAND_ASSERT | COMMAND_STARTUP | page >> PAGE_SHIFT);
}

void lapic_timer_free_run(void)
{
	reg_write(REG_TIMER_DIVIDE, TIMER_DIVIDE_BY_1);
	reg_write(REG_LVT_TIMER, LVT_MASKED);
	reg_write(REG_TIMER_INITIAL, ~0u);
}

u32 lapic_timer_count(void)
{
	return reg_read(REG_TIMER_CURRENT);
}

void lapic_timer_periodic(unsigned int vector, u32 period)
{
	reg_write(REG_TIMER_DIVIDE, TIMER_DIVIDE_BY_1);
	reg_write(REG_LVT_TIMER, TIMER_PERIODIC | vector);
	reg_write(REG_TIMER_INITIAL, period);
}
