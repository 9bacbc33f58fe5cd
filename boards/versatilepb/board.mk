# SPDX-License-Identifier: MIT
# ARM Versatile PB with an ARM926EJ-S: raw binary, ATAGs, PL011, PL190 VIC, SP804.
ARCH = arm
BOARD_DRIVERS = pl011 vic sp804 clock32 atags arm_semihosting
BOARD_SMP = 1
