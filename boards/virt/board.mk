# SPDX-License-Identifier: MIT
# QEMU virt: arm64 with the Linux Image header, device tree, PSCI, GIC, PL011.
ARCH = arm64
BOARD_DRIVERS = pl011 gic
BOARD_SMP = 4
