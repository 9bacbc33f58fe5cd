# SPDX-License-Identifier: MIT
# QEMU q35 and PCs: PVH and multiboot2, 16550 UART, local APIC.
ARCH = x86_64
BOARD_DRIVERS = x86_loader acpi lapic ioapic pit uart16550
BOARD_SMP = 4
