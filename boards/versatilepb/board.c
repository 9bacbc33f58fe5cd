// SPDX-License-Identifier: MIT
/*
 * ARM Versatile PB: ATAGs, PL011 console, PL190 interrupts, SP804 tick, and the
 * system registers' 24 MHz counter as the clock. One CPU.
 */
#include "kernel/board.h"

#include "base/errno.h"
#include "base/host.h"
#include "boards/drivers/arm_semihosting.h"
#include "boards/drivers/atags.h"
#include "boards/drivers/clock32.h"
#include "boards/drivers/mmio.h"
#include "boards/drivers/pl011.h"
#include "boards/drivers/sp804.h"
#include "boards/drivers/vic.h"
#include "boards/versatilepb/board.h"

#define ATAGS_ROOM	4096	/* what boot/arm copies at most */

/* SP810 control: timer 0 counts the 1 MHz TIMCLK (ARM DDI 0254, SCCTRL). */
#define SCTRL_CONTROL		0x00
#define SCTRL_TIMER0_TIMCLK	(1u << 15)

/* IPIs to ourselves that wait for the software interrupt. */
static unsigned long ipis_pending;

static struct clock32 clock;

void board_early_init(unsigned long boot_arg)
{
	pl011_init(VERSATILE_UART0);
	clock32_init(&clock, (const volatile u32 *)VERSATILE_SYS_24MHZ);
}

void board_discover(unsigned long boot_arg)
{
	machine.name = "versatilepb";
	machine.nr_cpus = 1;
	/* No register tells an emulator from the board; with one CPU nothing hangs on it. */
	machine.emulated = true;
	if (!atags_parse(boot_arg, ATAGS_ROOM))
		pl011_write("versatilepb: the boot loader passed no ATAGs\n", 45);
}

void board_for_each_device(void (*fn)(u64 start, u64 size))
{
	fn(VERSATILE_DEVICES, VERSATILE_DEVICES_SIZE);
}

void board_console_write(const char *text, size_t n)
{
	pl011_write(text, n);
}

int board_console_read(void)
{
	return pl011_read();
}

void board_console_listen(bool on)
{
	pl011_listen(on);
}

void board_irq_init(void)
{
	vic_init(VERSATILE_VIC);
	vic_enable(VERSATILE_IRQ_SOFT);
	vic_enable(VERSATILE_IRQ_UART0);
	board_console_listen(true);
}

void board_irq_init_cpu(void)
{
}

void board_timer_start(unsigned int hz)
{
	unsigned long control = VERSATILE_SCTRL + SCTRL_CONTROL;

	mmio_write32(control, mmio_read32(control) | SCTRL_TIMER0_TIMCLK);
	sp804_start(VERSATILE_TIMER0, VERSATILE_TIMER_HZ, hz);
	vic_enable(VERSATILE_IRQ_TIMER01);
}

u64 board_clock(void)
{
	return clock32_read(&clock);
}

u64 board_clock_hz(void)
{
	return VERSATILE_CLOCK_HZ;
}

static void take_ipis(struct pt_regs *regs)
{
	unsigned long pending = ipis_pending;
	enum ipi ipi;

	/* Interrupts are off: what is raised from here on raises the line again. */
	vic_soft_clear(VERSATILE_IRQ_SOFT);
	ipis_pending = 0;
	for (ipi = 0; ipi < NR_IPIS; ipi++)
		if (pending & (1ul << ipi))
			kernel_ipi(regs, ipi);
}

void board_irq(struct pt_regs *regs, unsigned int vector)
{
	u32 pending = vic_pending();

	if (pending & (1u << VERSATILE_IRQ_SOFT))
		take_ipis(regs);
	if (pending & (1u << VERSATILE_IRQ_UART0))
		kernel_console_irq(regs);
	if ((pending & (1u << VERSATILE_IRQ_TIMER01)) && sp804_acknowledge(VERSATILE_TIMER0)) {
		clock32_read(&clock);		/* at least once a wrap of the counter */
		kernel_tick(regs);
	}
}

void board_send_ipi(unsigned int cpu, enum ipi ipi)
{
	unsigned long flags = host_irq_save();

	ipis_pending |= 1ul << ipi;
	vic_soft_raise(VERSATILE_IRQ_SOFT);
	host_irq_restore(flags);
}

int board_send_nmi(unsigned int cpu)
{
	return -EOPNOTSUPP;
}

int board_start_cpu(unsigned int cpu, unsigned long stack_top)
{
	return -ENODEV;
}

void board_exit(int code)
{
	arm_semihosting_exit(code);
	irq_disable();
	for (;;)
		barrier();
}
