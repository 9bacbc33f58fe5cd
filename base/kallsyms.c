// SPDX-License-Identifier: MIT
/*
 * Looks up functions in the table that tools/kallsyms makes of the linked image.
 *
 * The table is constant and sorted by address. Several names may share an
 * address; sizes are never 0.
 */
#include "base/kallsyms.h"

#include "base/print.h"
#include "base/string.h"

extern const u32 kallsyms_nr;
extern const unsigned long kallsyms_addrs[];
extern const u32 kallsyms_sizes[];
extern const u32 kallsyms_offsets[];
extern const char kallsyms_names[];

unsigned int kallsyms_count(void)
{
	return kallsyms_nr;
}

void kallsyms_get(unsigned int i, struct kallsym *sym)
{
	sym->addr = kallsyms_addrs[i];
	sym->size = kallsyms_sizes[i];
	sym->name = kallsyms_names + kallsyms_offsets[i];
}

/* Number of symbols whose address is not above @addr. */
static unsigned int symbols_up_to(unsigned long addr)
{
	unsigned int low = 0, high = kallsyms_nr;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (kallsyms_addrs[middle] <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(unsigned int i, unsigned long addr)
{
	return addr - kallsyms_addrs[i] < kallsyms_sizes[i];
}

bool kallsyms_lookup(unsigned long addr, struct kallsym *sym)
{
	unsigned int i = symbols_up_to(addr);

	if (i == 0 || !covers(i - 1, addr))
		return false;
	/* The first of the aliases that cover it, so that the answer is always the same one. */
	for (i--; i > 0 && kallsyms_addrs[i - 1] == kallsyms_addrs[i] && covers(i - 1, addr); i--)
		;
	kallsyms_get(i, sym);
	return true;
}

unsigned long kallsyms_address(const char *name)
{
	for (unsigned int i = 0; i < kallsyms_nr; i++)
		if (!strcmp(kallsyms_names + kallsyms_offsets[i], name))
			return kallsyms_addrs[i];
	return 0;
}

int kallsyms_format(char *buf, size_t size, unsigned long addr)
{
	struct kallsym sym;

	if (!kallsyms_lookup(addr, &sym))
		return format(buf, size, "0x%lx", addr);
	return format(buf, size, "%s+0x%lx/0x%lx", sym.name, addr - sym.addr, sym.size);
}
