// SPDX-License-Identifier: MIT
/*
 * Saving the ATAG list before anything can overwrite it.
 *
 * Runs before bss is cleared and with the caches off: nothing here may live in
 * bss, so the copy has an initial value that keeps it in data.
 */
#include "boot/arm/atags.h"

#define ATAG_CORE	0x54410001u
#define ATAG_NONE_CUT	1u	/* ends our copy when the list went on; see boards/drivers/atags.c */

static u32 atags_copy[BOOT_ATAGS_BYTES / sizeof(u32)] = { 2, 0 };

/*
 * Whole tags only, as many as fit. A tag of size 0 ends the list; a size of 1
 * is no tag and ends it too. The copy ends with { 0, 0 }.
 */
unsigned long boot_copy_atags(const u32 *list)
{
	unsigned int at = 0, i;

	if (!list || ((unsigned long)list & 3) || list[1] != ATAG_CORE)
		return 0;
	while (list[at] >= 2 && list[at] < ARRAY_SIZE(atags_copy) - 2 - at) {
		for (i = 0; i < list[at]; i++)
			atags_copy[at + i] = list[at + i];
		at += list[at];
	}
	atags_copy[at + 1] = list[at] >= 2 ? ATAG_NONE_CUT : 0;
	atags_copy[at] = 0;
	return (unsigned long)atags_copy;
}
