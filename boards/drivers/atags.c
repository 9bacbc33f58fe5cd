// SPDX-License-Identifier: MIT
/*
 * The ATAG list by which ARM boot loaders describe the machine.
 *
 * Each tag is a size in words (its own header included), a number and its
 * contents; the list begins with ATAG_CORE and ends with a tag of size 0. A size
 * that leads out of the list ends the walk: what stands before it is kept, and the
 * loss is said.
 */
#include "boards/drivers/atags.h"

#include "base/print.h"
#include "base/string.h"
#include "kernel/machine.h"

#define ATAG_CORE	0x54410001u
#define ATAG_MEM	0x54410002u
#define ATAG_CMDLINE	0x54410009u

struct atag {
	u32 words;
	u32 number;
	u32 data[];
};

static void take_cmdline(const struct atag *tag, size_t bytes)
{
	size_t n = strnlen((const char *)tag->data, bytes);

	if (n >= sizeof(machine.cmdline)) {
		n = sizeof(machine.cmdline) - 1;
		pr_err("the command line is cut after %u bytes\n", (unsigned int)n);
	}
	memcpy(machine.cmdline, tag->data, n);
	machine.cmdline[n] = '\0';
}

/* Page 0 stays unmapped, so that a null pointer faults: its memory is given up. */
static void take_memory(u64 start, u64 size)
{
	u64 end = start + size;

	if (start < PAGE_SIZE)
		start = PAGE_SIZE;
	if (end > start)
		machine_add_memory(start, end - start);
}

static void take(const struct atag *tag)
{
	size_t bytes = (tag->words - 2) * sizeof(u32);

	if (tag->number == ATAG_MEM && bytes >= 8)
		take_memory(tag->data[1], tag->data[0]);
	if (tag->number == ATAG_CMDLINE)
		take_cmdline(tag, bytes);
}

bool atags_parse(unsigned long list, size_t room)
{
	const struct atag *tag = (const struct atag *)list;
	size_t words = room / sizeof(u32);

	if (!list || words < 2 || tag->number != ATAG_CORE)
		return false;
	while (words >= 2 && tag->words >= 2 && tag->words <= words) {
		take(tag);
		words -= tag->words;
		tag = (const struct atag *)((const u32 *)tag + tag->words);
	}
	if (words < 2 || tag->words || tag->number)
		pr_err("the ATAG list is longer than what was kept of it, or broken\n");
	return true;
}
