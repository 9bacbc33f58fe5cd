// SPDX-License-Identifier: MIT
/* Is every page of the image mapped as its contents ask for, and nothing that runs writable at any address? */
#include "kernel/wx.h"

#include "base/print.h"
#include "kernel/port.h"
#include "linker/sections.h"

struct part {
	const char *name;
	const char *start, *end;
	bool w, x;
};

static const struct part parts[] = {
	{ "text", __text_start, __code_pool_start, false, true },
	{ "code pool", __code_pool_start, __code_pool_end, false, true },
	{ "constants", __rodata_start, __rodata_end, false, false },
	{ "data", __data_start, __bss_start, true, false },
	{ "stack", __stack_boot_bottom, __stack_boot_top, true, false },
	{ "bss", __stack_boot_top, __bss_end, true, false },
};

/* Where nothing can be made not executable, that is no fault of this page. */
static bool page_is_right(const struct part *part, unsigned long page)
{
	bool w, x;

	if (!mmu_walk(page, &w, &x))
		return false;
	return w == part->w && (part->x ? x : !x || !PORT_HAS_NX);
}

static unsigned int check_part(const struct part *part)
{
	unsigned long end = (unsigned long)part->end;
	unsigned int bad = 0;

	for (unsigned long page = (unsigned long)part->start; page < end; page += PAGE_SIZE) {
		if (page_is_right(part, page))
			continue;
		bad++;
		pr_info("W^X: page %lx (%s) is not mapped as it should be\n", page, part->name);
	}
	return bad;
}

/* Does any of the memory lie in text, whatever the address it is mapped at? */
static bool is_text(unsigned long physical, unsigned long size)
{
	return physical < (unsigned long)__text_end && physical + size > (unsigned long)__text_start;
}

/* Of all that is mapped, image or not: what can be written may neither run nor be text at another address. */
static unsigned int check_all_mapped(void)
{
	unsigned long addr = 0, next;
	unsigned int bad = 0;
	bool w, x;

	do {
		next = mmu_next(addr);
		if (!mmu_walk(addr, &w, &x) || !w)
			continue;
		if (!(x && PORT_HAS_NX) && !is_text(mmu_physical(addr), next - addr))
			continue;
		if (!bad++)
			pr_info("W^X: at %lx one can write what runs\n", addr);
	} while ((addr = next));
	return bad;
}

unsigned int wx_check(void)
{
	unsigned int bad = check_all_mapped();

	for (unsigned int i = 0; i < ARRAY_SIZE(parts); i++)
		bad += check_part(&parts[i]);
	return bad;
}
