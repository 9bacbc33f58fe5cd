// SPDX-License-Identifier: MIT
/*
 * The driver interface: what the kernel asks of a board. boards/<board>/board.c
 * answers, with drivers from boards/drivers/. No call here is traced.
 */
#pragma once

#include "base/types.h"
#include "kernel/machine.h"

struct pt_regs;

/* Console usable (polled). Called first, before memory or interrupts; @boot_arg as boot/ found it. */
void board_early_init(unsigned long boot_arg);

/* Fill in `machine` from ACPI, device tree or ATAGs; @boot_arg likewise. */
void board_discover(unsigned long boot_arg);

/* Device memory the MMU must map: call back for each [start, start+size). */
void board_for_each_device(void (*fn)(u64 start, u64 size));

void board_console_write(const char *text, size_t n);	/* polled, any context */
int board_console_read(void);				/* next byte, -1 when there is none */
#define BOARD_CONSOLE_LOST	0x100			/* or it: the UART has lost some before */
void board_console_listen(bool on);			/* are received bytes to interrupt? */

/* Interrupt controller and tick timer: once on the boot CPU, then on each CPU. */
void board_irq_init(void);
void board_irq_init_cpu(void);

/* Start the periodic tick of this CPU: calls kernel_tick() @hz times a second. */
void board_timer_start(unsigned int hz);

/* Free-running clock: monotonic, equal on all CPUs. Any context. */
u64 board_clock(void);
u64 board_clock_hz(void);

/*
 * An interrupt came (the port's vector calls this with interrupts off): ask the
 * controller, acknowledge, and call kernel_tick(), kernel_ipi() or
 * kernel_console_irq(). @vector is the port's (x86), 0 where there is only one.
 */
void board_irq(struct pt_regs *regs, unsigned int vector);

/* IPIs that kernel_ipi() tells apart. */
enum ipi {
	IPI_CALL,	/* run what smp_call posted */
	IPI_RESCHEDULE,
	IPI_STOP,	/* panic elsewhere: halt */
	NR_IPIS,
};
void board_send_ipi(unsigned int cpu, enum ipi ipi);

/* NMI to one CPU: -EOPNOTSUPP where there is none (arm, arm64). Ends in kernel_nmi(). */
int __must_check board_send_nmi(unsigned int cpu);

/*
 * Start a CPU: it must arrive in kernel_secondary_main(cpu) on the stack whose
 * top is given. Return: 0, -ENODEV when the firmware refuses.
 */
int __must_check board_start_cpu(unsigned int cpu, unsigned long stack_top);

/* End the machine (emulator: with this exit code; hardware: reset or stop). */
__noreturn void board_exit(int code);

/* Called by boards (interrupts off): */
void kernel_tick(struct pt_regs *regs);
void kernel_ipi(struct pt_regs *regs, enum ipi ipi);
void kernel_console_irq(struct pt_regs *regs);
void kernel_nmi(struct pt_regs *regs);
