// SPDX-License-Identifier: MIT
/* Saving the ATAG list before anything can overwrite it. */
#pragma once

#include "base/types.h"

#define BOOT_ATAGS_BYTES	4096	/* room for the copy; a list is a few hundred bytes */

/*
 * Called by start.S with @list as the boot loader left it in r2. Return: the
 * address of the copy, which is what kernel_main() gets; 0 when there is no list.
 */
unsigned long boot_copy_atags(const u32 *list);
