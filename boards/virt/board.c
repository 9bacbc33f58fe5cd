// SPDX-License-Identifier: MIT
/*
 * QEMU virt, and machines whose device tree names the same devices at its root.
 *
 * All addresses and interrupt numbers come from the device tree.
 */
#include "kernel/board.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "base/string.h"
#include "boards/drivers/arm64_semihosting.h"
#include "boards/drivers/arm64_timer.h"
#include "boards/drivers/fdt.h"
#include "boards/drivers/gic.h"
#include "boards/drivers/pl011.h"
#include "boards/drivers/psci.h"

#include <port/start.h>

#define MPIDR_AFFINITY	0xff00fffffful
#define VIRTUAL_TIMER	2	/* place among the timer's interrupts */

#define INTERRUPT_SPI	0	/* first cell of an interrupt; 1 = PPI */

struct device {
	u64 start, size;
};

static struct device uart, gic_distributor, gic_cpu;
static unsigned int uart_irq, timer_irq;
static const struct gic *gic;
static bool has_psci;

static struct device device_at(const struct fdt *fdt, int node, unsigned int index)
{
	struct device device;

	if (!fdt_reg(fdt, node, index, &device.start, &device.size))
		host_panic(NULL, "device tree: a device without an address");
	return device;
}

/* First of all, so that whatever goes wrong later can end the machine. */
static void discover_firmware(const struct fdt *fdt)
{
	int node = fdt_find_path(fdt, "/psci");

	if (node == FDT_NONE)
		return;
	has_psci = true;
	psci_init(fdt_has_string(fdt, node, "method", "smc"));
	machine.emulated = fdt_has_string(fdt, fdt_next(fdt, FDT_NONE, NULL), "compatible", "linux,dummy-virt") &&
			   !psci_is_kvm();
}

void board_early_init(unsigned long boot_arg)
{
	struct fdt fdt;
	int node;

	/* Without these nobody could hear us complain. */
	if (!fdt_open(&fdt, (const void *)boot_arg))
		return;
	discover_firmware(&fdt);
	node = fdt_find_compatible(&fdt, FDT_NONE, "arm,pl011");
	if (node == FDT_NONE)
		return;
	uart = device_at(&fdt, node, 0);
	pl011_init(uart.start);
}

/* The @index-th interrupt of a node, as the controller numbers it. */
static unsigned int interrupt_at(const struct fdt *fdt, int node, unsigned int index)
{
	u32 kind, number;

	if (node == FDT_NONE || !fdt_cell(fdt, node, "interrupts", index * 3, &kind) ||
	    !fdt_cell(fdt, node, "interrupts", index * 3 + 1, &number))
		host_panic(NULL, "device tree: a device without an interrupt");
	return number + (kind == INTERRUPT_SPI ? GIC_SPI_BASE : GIC_PPI_BASE);
}

/* GICv3 is used where the CPUs have its registers: asking a GICv2 for its version faults. */
static void discover_interrupts(const struct fdt *fdt)
{
	u64 features;
	int node;

	__asm__("mrs %0, id_aa64pfr0_el1" : "=r"(features));
	gic = features >> 24 & 0xf ? &gicv3 : &gicv2;
	node = fdt_find_compatible(fdt, FDT_NONE, gic == &gicv3 ? "arm,gic-v3" : "arm,cortex-a15-gic");
	if (node == FDT_NONE)
		node = fdt_find_compatible(fdt, FDT_NONE, "arm,gic-400");
	if (node == FDT_NONE)
		host_panic(NULL, "device tree: no interrupt controller that we know");
	gic_distributor = device_at(fdt, node, 0);
	gic_cpu = device_at(fdt, node, 1);
	timer_irq = interrupt_at(fdt, fdt_find_compatible(fdt, FDT_NONE, "arm,armv8-timer"), VIRTUAL_TIMER);
	uart_irq = interrupt_at(fdt, fdt_find_compatible(fdt, FDT_NONE, "arm,pl011"), 0);
}

/* The boot CPU takes place 0, the others follow in the tree's order. */
static void add_cpu(u64 hwid)
{
	if (hwid == machine.cpu_hwid[0])
		return;
	if (machine.nr_cpus == MAX_CPUS)
		machine.nr_cpus_ignored++;
	else
		machine.cpu_hwid[machine.nr_cpus++] = hwid;
}

static void discover_cpus(const struct fdt *fdt)
{
	int node = FDT_NONE;
	u64 hwid;

	__asm__("mrs %0, mpidr_el1" : "=r"(hwid));
	machine.cpu_hwid[0] = hwid & MPIDR_AFFINITY;
	machine.nr_cpus = 1;
	while ((node = fdt_next(fdt, node, NULL)) != FDT_NONE) {
		if (fdt_has_string(fdt, node, "device_type", "cpu") && fdt_is_enabled(fdt, node) &&
		    fdt_reg(fdt, node, 0, &hwid, NULL))
			add_cpu(hwid & MPIDR_AFFINITY);
	}
}

/* Memory less what the reservation block names from its @index-th entry on. */
static void add_memory(const struct fdt *fdt, u64 start, u64 end, unsigned int index)
{
	u64 hole, hole_size, hole_end;

	if (start >= end)
		return;
	if (!fdt_reservation(fdt, index, &hole, &hole_size)) {
		machine_add_memory(start, end - start);
		return;
	}
	hole_end = hole + hole_size;
	if (hole_end <= start || hole >= end) {
		add_memory(fdt, start, end, index + 1);
		return;
	}
	add_memory(fdt, start, hole, index + 1);
	add_memory(fdt, hole_end, end, index + 1);
}

static void discover_memory(const struct fdt *fdt)
{
	int node = FDT_NONE;
	u64 start, size;

	while ((node = fdt_next(fdt, node, NULL)) != FDT_NONE) {
		if (!fdt_has_string(fdt, node, "device_type", "memory") || !fdt_is_enabled(fdt, node))
			continue;
		for (unsigned int i = 0; fdt_reg(fdt, node, i, &start, &size); i++)
			add_memory(fdt, start, start + size, 0);
	}
}

void board_discover(unsigned long boot_arg)
{
	struct fdt fdt;
	const char *args;
	int chosen;

	machine.name = "virt";
	if (!fdt_open(&fdt, (const void *)boot_arg))
		host_panic(NULL, "no device tree: boot the raw image");
	discover_cpus(&fdt);
	discover_memory(&fdt);
	discover_interrupts(&fdt);
	chosen = fdt_find_path(&fdt, "/chosen");
	args = chosen == FDT_NONE ? NULL : fdt_string(&fdt, chosen, "bootargs");
	format(machine.cmdline, sizeof(machine.cmdline), "%s", args ? args : "");
	if (args && strlen(args) >= sizeof(machine.cmdline))
		pr_err("the command line is cut after %u bytes\n", (unsigned int)sizeof(machine.cmdline) - 1);
}

void board_for_each_device(void (*fn)(u64 start, u64 size))
{
	fn(uart.start, uart.size);
	fn(gic_distributor.start, gic_distributor.size);
	fn(gic_cpu.start, gic_cpu.size);
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
	const struct gic_place place = { gic_distributor.start, gic_cpu.start, gic_cpu.size };

	gic->init(&place);
}

void board_irq_init_cpu(void)
{
	unsigned int cpu = host_cpu_id();

	gic->init_cpu(cpu, machine.cpu_hwid[cpu]);
	if (cpu == 0) {
		gic->enable(uart_irq);
		board_console_listen(true);
	}
}

void board_timer_start(unsigned int hz)
{
	arm64_timer_start(hz);
	gic->enable(timer_irq);
}

u64 board_clock(void)
{
	return arm64_timer_count();
}

u64 board_clock_hz(void)
{
	return arm64_timer_hz();
}

void board_irq(struct pt_regs *regs, unsigned int vector)
{
	u32 iar = gic->acknowledge();
	unsigned int irq = GIC_ID(iar);

	if (irq >= GIC_SPECIAL)
		return;
	if (irq < NR_IPIS) {
		kernel_ipi(regs, irq);
	} else if (irq == timer_irq) {
		arm64_timer_again();
		kernel_tick(regs);
	} else if (irq == uart_irq) {
		kernel_console_irq(regs);
	}
	gic->end(iar);
	if (irq == timer_irq)
		arm64_timer_share(host_cpu_id(), machine.nr_cpus);
}

void board_send_ipi(unsigned int cpu, enum ipi ipi)
{
	gic->send(cpu, ipi);
}

int board_send_nmi(unsigned int cpu)
{
	return -EOPNOTSUPP;
}

int board_start_cpu(unsigned int cpu, unsigned long stack_top)
{
	if (!has_psci)
		return -ENODEV;
	return psci_cpu_on(machine.cpu_hwid[cpu], (unsigned long)arm64_secondary_entry,
			   arm64_prepare_start(cpu, stack_top));
}

void board_exit(int code)
{
	if (machine.emulated)
		arm64_semihosting_exit(code);
	if (has_psci)
		psci_system_off();
	for (;;)
		__asm__ volatile("wfi");
}
