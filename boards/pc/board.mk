# SPDX-License-Identifier: MIT
# QEMU q35 and PCs: PVH and multiboot2, 16550 UART, local APIC.
ARCH = x86_64
BOARD_DRIVERS =
BOARD_SMP = 4
