// SPDX-License-Identifier: MIT
/*
 * A PC: q35 in QEMU, or a real one. Everything comes from the loader's memory
 * map and ACPI; what is fixed on every PC is in board.h.
 *
 * RAM below 1 MiB is not given to the kernel: one page of it starts the other
 * CPUs, the rest is the firmware's playground. RAM above 4 GiB is not used.
 */
#include "kernel/board.h"
#include "boards/pc/board.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "base/string.h"
#include "boards/drivers/acpi.h"
#include "boards/drivers/ioapic.h"
#include "boards/drivers/lapic.h"
#include "boards/drivers/pit.h"
#include "boards/drivers/uart16550.h"
#include "boards/drivers/x86_loader.h"
#include "kernel/machine.h"

#include <cpuid.h>
#include <port/cpu.h>
#include <port/io.h>
#include <port/secondary.h>
#include <port/vector.h>

#define LOW_END		0x100000UL
#define HIGH_END	0x100000000UL
#define IOAPIC_BYTES	PAGE_SIZE
#define LAPIC_BYTES	PAGE_SIZE
#define XAPIC_MAX_ID	254		/* 255 is everybody */

#define INIT_US		10000		/* Intel MultiProcessor Specification, B.4 */
#define STARTUP_US	200
#define ARRIVAL_US	1000000
#define SPINS		100

#define CPUID_HYPERVISOR	0x40000000
#define CPUID_HYPERVISOR_BIT	(1u << 31)	/* leaf 1, ecx */

static struct acpi_madt madt;
static unsigned long trampoline;	/* page below 1 MiB, 0: none */
static u64 high_memory;			/* bytes above 4 GiB that we leave alone */
static struct pit_measure speed;

void board_early_init(unsigned long boot_arg)
{
	uart16550_init(PC_COM1);
}

static void take_low_memory(u64 start, u64 end)
{
	u64 page = ALIGN_UP(max(start, (u64)PAGE_SIZE), PAGE_SIZE);

	if (!trampoline && page + PAGE_SIZE <= min(end, (u64)PC_LOW_MEMORY_END))
		trampoline = page;
}

static void take_memory(u64 start, u64 size)
{
	u64 end = start + size;

	if (start < LOW_END)
		take_low_memory(start, end);
	if (end > HIGH_END)
		high_memory += end - max(start, HIGH_END);
	start = max(start, LOW_END);
	end = min(end, HIGH_END);
	if (start < end)
		machine_add_memory(start, end - start);
}

/* The boot CPU first; CPUs that the xAPIC cannot name or that find no room are counted. */
static void take_cpus(void)
{
	unsigned int boot_id = lapic_id();

	machine.nr_cpus = 1;
	machine.cpu_hwid[0] = boot_id;
	for (unsigned int i = 0; i < min(madt.nr_cpus, ACPI_MAX_CPUS + 0u); i++) {
		if (madt.apic_id[i] == boot_id)
			continue;
		if (madt.apic_id[i] > XAPIC_MAX_ID || machine.nr_cpus == MAX_CPUS)
			machine.nr_cpus_ignored++;
		else
			machine.cpu_hwid[machine.nr_cpus++] = madt.apic_id[i];
	}
	if (madt.nr_cpus > ACPI_MAX_CPUS)
		machine.nr_cpus_ignored += madt.nr_cpus - ACPI_MAX_CPUS;
}

static bool is_emulated(void)
{
	u32 eax, ebx, ecx, edx;
	char vendor[12];

	__cpuid(1, eax, ebx, ecx, edx);
	if (!(ecx & CPUID_HYPERVISOR_BIT))
		return false;
	__cpuid(CPUID_HYPERVISOR, eax, ebx, ecx, edx);
	memcpy(vendor, &ebx, 4);
	memcpy(vendor + 4, &ecx, 4);
	memcpy(vendor + 8, &edx, 4);
	return !memcmp(vendor, "TCGTCGTCGTCG", sizeof(vendor));
}

static void take_cmdline(const char *cmdline)
{
	size_t n = cmdline ? strnlen(cmdline, MAX_CMDLINE - 1) : 0;

	memcpy(machine.cmdline, cmdline, n);
	if (cmdline && cmdline[n])
		pr_err("command line cut at %zu bytes\n", n);
}

/* The loader's block and ACPI's tables are read here, once: later their memory is ours or unmapped. */
void board_discover(unsigned long boot_arg)
{
	struct x86_loader loader;

	if (x86_loader_parse(boot_arg, &loader, take_memory))
		host_panic(NULL, "unknown boot loader: neither PVH nor multiboot2");
	machine.name = "pc";
	machine.emulated = is_emulated();
	take_cmdline(loader.cmdline);
	if (high_memory)
		pr_info("pc: %llu MiB of RAM above 4 GiB are not used\n",
			(unsigned long long)high_memory >> 20);

	if (acpi_find_madt(loader.rsdp, &madt))
		host_panic(NULL, "no valid ACPI MADT: cannot find CPUs and interrupt controllers");
	if (lapic_init(madt.lapic_address))
		host_panic(NULL, "the local APIC is in x2APIC mode: turn that off in the firmware");
	take_cpus();
	if (trampoline)
		memcpy((void *)trampoline, secondary_trampoline,
		       secondary_trampoline_end - secondary_trampoline);
}

void board_for_each_device(void (*fn)(u64 start, u64 size))
{
	fn(madt.lapic_address, LAPIC_BYTES);
	if (madt.ioapic_address)
		fn(madt.ioapic_address, IOAPIC_BYTES);
}

void board_console_write(const char *text, size_t n)
{
	uart16550_write(text, n);
}

int board_console_read(void)
{
	return uart16550_read();
}

void board_console_listen(bool on)
{
	uart16550_listen(on);
}

static void route_isa(unsigned int irq, unsigned int vector)
{
	unsigned int flags = madt.isa_flags[irq];

	ioapic_route(madt.isa_gsi[irq], vector, machine.cpu_hwid[0],
		     (flags & ACPI_POLARITY_MASK) == ACPI_POLARITY_LOW,
		     (flags & ACPI_TRIGGER_MASK) == ACPI_TRIGGER_LEVEL);
}

void board_irq_init(void)
{
	pic_disable(VECTOR_PIC);
	lapic_init_cpu();
	lapic_timer_free_run();
	if (pit_measure(lapic_timer_count, &speed))
		host_panic(NULL, "the interval timer does not count: no reference for the clock");
	if (madt.ioapic_address) {
		ioapic_init(madt.ioapic_address);
		route_isa(PC_COM1_IRQ, VECTOR_UART);
		board_console_listen(true);
	}
}

void board_irq_init_cpu(void)
{
	lapic_init_cpu();
}

void board_timer_start(unsigned int hz)
{
	lapic_timer_periodic(VECTOR_TIMER, speed.timer_hz / hz);
}

u64 board_clock(void)
{
	return cycles_read();
}

u64 board_clock_hz(void)
{
	return speed.tsc_hz;
}

/*
 * Acknowledged first: a handler may not come back, and interrupts stay off until it does.
 * The pause is for QEMU's -icount with several CPUs: they share one host thread, a CPU in a loop
 * without pause or hlt keeps it, and one that waits for a lock with interrupts off would never run.
 */
void board_irq(struct pt_regs *regs, unsigned int vector)
{
	if (vector == VECTOR_SPURIOUS || vector < VECTOR_PIC + 16)
		return;
	lapic_eoi();
	if (vector == VECTOR_TIMER) {
		cpu_relax();
		kernel_tick(regs);
	} else if (vector == VECTOR_UART)
		kernel_console_irq(regs);
	else if (vector >= VECTOR_IPI && vector < VECTOR_IPI + NR_IPIS)
		kernel_ipi(regs, vector - VECTOR_IPI);
}

void board_send_ipi(unsigned int cpu, enum ipi ipi)
{
	lapic_send_vector(machine.cpu_hwid[cpu], VECTOR_IPI + ipi);
}

int board_send_nmi(unsigned int cpu)
{
	lapic_send_nmi(machine.cpu_hwid[cpu]);
	return 0;
}

/*
 * A pause gives other CPUs their turn under -icount, at the price of a way out of translated code:
 * one in SPINS looks at the clock is enough.
 */
static u64 spin_until(u64 end)
{
	for (unsigned int i = 0; i < SPINS && cycles_read() < end; i++)
		;
	cpu_relax();
	return cycles_read();
}

static void wait_us(unsigned int us)
{
	u64 end = cycles_read() + speed.tsc_hz / 1000000 * us;

	while (spin_until(end) < end)
		;
}

/* Wait for at most @us microseconds. Return: did the CPU take its stack? */
static bool wait_arrival(unsigned int cpu, unsigned int us)
{
	u64 end = cycles_read() + speed.tsc_hz / 1000000 * us;

	while (READ_ONCE(secondary_stack[cpu])) {
		if (spin_until(end) >= end)
			return false;
	}
	return true;
}

int board_start_cpu(unsigned int cpu, unsigned long stack_top)
{
	unsigned int id = machine.cpu_hwid[cpu];

	if (!trampoline)
		return -ENODEV;
	__atomic_store_n(&secondary_stack[cpu], stack_top, __ATOMIC_SEQ_CST);
	lapic_send_init(id);
	wait_us(INIT_US);
	lapic_send_startup(id, trampoline);
	if (wait_arrival(cpu, STARTUP_US))
		return 0;
	lapic_send_startup(id, trampoline);
	if (wait_arrival(cpu, ARRIVAL_US))
		return 0;

	/* It may come at this very moment: who gets the stack is decided by the exchange. */
	return __atomic_exchange_n(&secondary_stack[cpu], 0, __ATOMIC_SEQ_CST) ? -ENODEV : 0;
}

/* Where the port is not there, nothing happens and we stop. */
void board_exit(int code)
{
	irq_disable();
	outl(PC_EXIT_PORT, code);
	for (;;)
		__asm__ volatile("hlt");
}
