// SPDX-License-Identifier: MIT
/* What a PC's boot loader hands over, by PVH or multiboot2. */
#pragma once

#include "base/types.h"

struct x86_loader {
	const char *protocol;		/* "PVH", "multiboot2" */
	const char *cmdline;		/* NULL: none */
	unsigned long rsdp;		/* address of ACPI's root pointer, 0: none given */
};

/**
 * x86_loader_parse() - read the loader's block
 * @block: its address, from boot/; 0 when the loader is not known
 * @info: filled; points into the block, which lies in free RAM
 * @memory: called for each range of usable RAM
 *
 * Return: 0, or -EINVAL when the block is neither protocol's.
 */
int __must_check x86_loader_parse(unsigned long block, struct x86_loader *info,
				  void (*memory)(u64 start, u64 size));
