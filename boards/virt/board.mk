# SPDX-License-Identifier: MIT
# QEMU virt: arm64 with the Linux Image header, device tree, PSCI, GIC, PL011.
ARCH = arm64
BOARD_DRIVERS = arm64_semihosting arm64_timer fdt gicv2 gicv3 pl011 psci
BOARD_SMP = 4
