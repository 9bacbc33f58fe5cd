/* SPDX-License-Identifier: MIT */
/* QEMU virt: where the image lies. RAM starts at 1 GiB; the rest is in the device tree. */
#pragma once

#define BOARD_TEXT_OFFSET	0x80000
#define BOARD_LOAD_ADDRESS	(0x40000000 + BOARD_TEXT_OFFSET)
