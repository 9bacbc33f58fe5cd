// SPDX-License-Identifier: MIT
/*
 * Page tables.
 *
 * Lower half (TTBR0): everything at its physical address. RAM is mapped by
 * pages, not blocks, so that a guard page is one entry made invalid and no
 * live block is ever split.
 *
 *   text, code pool  read, execute
 *   rodata           read
 *   other RAM        read, write
 *   devices          read, write, nGnRnE
 *   the rest, page 0 among it, is not mapped
 *
 * Upper half (TTBR1): closed, an empty table; open, text and code pool again,
 * read and write. Which of the two is in TTBR1 is each CPU's own, so opening
 * and closing concerns no other CPU.
 */
#include "kernel/port.h"

#include "base/bug.h"
#include "base/print.h"
#include "kernel/board.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "linker/sections.h"

#include <port/mmu.h>
#include <port/start.h>
#include <port/sysreg.h>

#define TABLE_ENTRIES	512
#define LEVEL1_SHIFT	30
#define LEVEL2_SHIFT	21

#define PROT_NORMAL	(PTE_PAGE | PTE_AF | PTE_INNER | PTE_ATTR(MAIR_NORMAL) | PTE_UXN)
#define PROT_TEXT	(PROT_NORMAL | PTE_RDONLY)
#define PROT_RODATA	(PROT_NORMAL | PTE_RDONLY | PTE_PXN)
#define PROT_DATA	(PROT_NORMAL | PTE_PXN)
#define PROT_ALIAS	(PROT_NORMAL | PTE_PXN | PTE_NOT_GLOBAL)
#define PROT_DEVICE	(PTE_PAGE | PTE_AF | PTE_ATTR(MAIR_DEVICE) | PTE_PXN | PTE_UXN)

#define TCR_FINAL	(TCR_T0SZ(ARM64_VA_BITS) | TCR_T1SZ(ARM64_VA_BITS) | \
			 TCR_TTBR0_WB | TCR_TTBR1_WB | TCR_TG1_4K)

static u64 *root, *alias_root;
static u64 empty_root[TABLE_ENTRIES] __aligned(PAGE_SIZE);

static u64 *table_alloc(void)
{
	u64 *table = page_alloc(0);

	BUG_ON(!table);
	return table;
}

static u64 *next_table(u64 *entry)
{
	if (!(*entry & PTE_VALID))
		*entry = (u64)table_alloc() | PTE_TABLE;
	return (u64 *)(*entry & PTE_ADDR);
}

static unsigned int index_at(unsigned long addr, unsigned int shift)
{
	return (addr >> shift) & (TABLE_ENTRIES - 1);
}

static u64 *make_entry(u64 *table, unsigned long addr)
{
	table = next_table(&table[index_at(addr, LEVEL1_SHIFT)]);
	table = next_table(&table[index_at(addr, LEVEL2_SHIFT)]);
	return &table[index_at(addr, PAGE_SHIFT)];
}

/* The level 3 entry of an address, NULL when there is no table for it. */
static u64 *find_entry(u64 *table, unsigned long addr)
{
	u64 entry = table[index_at(addr, LEVEL1_SHIFT)];

	if (!(entry & PTE_VALID))
		return NULL;
	entry = ((u64 *)(entry & PTE_ADDR))[index_at(addr, LEVEL2_SHIFT)];
	if (!(entry & PTE_VALID))
		return NULL;
	return (u64 *)(entry & PTE_ADDR) + index_at(addr, PAGE_SHIFT);
}

/* Later calls override earlier ones. The tables are not in use yet. */
static void map(u64 *table, unsigned long start, unsigned long end, u64 prot)
{
	unsigned long addr;
	u64 *entry = NULL;

	for (addr = ALIGN_DOWN(start, PAGE_SIZE); addr < end; addr += PAGE_SIZE) {
		if (!entry || !index_at(addr, PAGE_SHIFT))
			entry = make_entry(table, addr);
		*entry++ = addr | prot;
	}
}

static void map_device(u64 start, u64 size)
{
	map(root, start, start + size, PROT_DEVICE);
}

static void map_memory(void)
{
	const struct memory_range *range = machine.memory;

	for (; range < machine.memory + machine.nr_memory; range++)
		map(root, range->start, range->start + range->size, PROT_DATA);
	map(root, (unsigned long)__text_start, (unsigned long)__text_end, PROT_TEXT);
	map(root, (unsigned long)__rodata_start, (unsigned long)__rodata_end, PROT_RODATA);
}

void mmu_init(void)
{
	root = table_alloc();
	alias_root = table_alloc();
	map_memory();
	board_for_each_device(map_device);
	map(alias_root, (unsigned long)__text_start, (unsigned long)__text_end, PROT_ALIAS);
	dsb(ishst);		/* tables before the walks of all CPUs */
	arm64_enable_mmu((u64)root, TCR_FINAL, MAIR_VALUE, SCTLR_FINAL, (u64)empty_root);
}

/* The way in, arm64_secondary_entry, has done it all: it could not see memory without. */
void mmu_init_cpu(void)
{
	BUG_ON(read_sysreg(ttbr0_el1) != (u64)root || !(read_sysreg(sctlr_el1) & SCTLR_WXN));
}

unsigned long arm64_prepare_start(unsigned int cpu, unsigned long stack_top)
{
	static struct arm64_start starts[MAX_CPUS];
	struct arm64_start *start = &starts[cpu];

	*start = (struct arm64_start){
		.ttbr0 = (u64)root,
		.ttbr1 = (u64)empty_root,
		.tcr = TCR_FINAL,
		.mair = MAIR_VALUE,
		.sctlr = SCTLR_FINAL,
		.stack_top = stack_top,
		.struct_cpu = (u64)&cpus[cpu],
		.cpu = cpu,
	};
	static_assert(sizeof(*start) == 64, "16-byte lines or larger: four cleans reach all");
	for (unsigned long line = (unsigned long)start; line < (unsigned long)(start + 1); line += 16)
		__asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
	dsb(sy);
	return (unsigned long)start;
}

void mmu_unmap_guard(unsigned long page)
{
	u64 *entry = find_entry(root, page);

	BUG_ON(!entry || (page & (PAGE_SIZE - 1)));
	WRITE_ONCE(*entry, 0);
	dsb(ishst);		/* the entry before the invalidation */
	__asm__ volatile("tlbi vaae1is, %0" : : "r"(page >> PAGE_SHIFT) : "memory");
	dsb(ish);		/* ... which is complete everywhere now */
	isb();
}

/* No TLB holds a translation that failed: nothing to invalidate on the way in. */
unsigned long mmu_text_open(void)
{
	unsigned long cookie = read_sysreg(ttbr1_el1);

	write_sysreg(ttbr1_el1, alias_root);
	isb();
	return cookie;
}

/* Only the alias is not global: ASID 0 names it and leaves the TLB's other entries alone. */
void mmu_text_close(unsigned long cookie)
{
	if (cookie == (unsigned long)alias_root)
		return;
	write_sysreg(ttbr1_el1, cookie);
	isb();
	__asm__ volatile("tlbi aside1, xzr" : : : "memory");
	dsb(nsh);
	isb();
}

static u64 *root_of(unsigned long addr)
{
	if (addr >> ARM64_VA_BITS == 0)
		return (u64 *)read_sysreg(ttbr0_el1);
	if (addr >= ARM64_ALIAS_OFFSET)
		return (u64 *)read_sysreg(ttbr1_el1);
	return NULL;
}

bool mmu_walk(unsigned long addr, bool *w, bool *x)
{
	u64 *table = root_of(addr), *entry;

	entry = table ? find_entry(table, addr) : NULL;
	if (!entry || !(*entry & PTE_VALID))
		return false;
	*w = !(*entry & PTE_RDONLY);
	*x = !(*entry & PTE_PXN) && !(*w && (read_sysreg(sctlr_el1) & SCTLR_WXN));
	return true;
}

unsigned long mmu_next(unsigned long addr)
{
	u64 *table = root_of(addr);
	unsigned long size = PAGE_SIZE;

	if (!(table[index_at(addr, LEVEL1_SHIFT)] & PTE_VALID))
		size = 1UL << LEVEL1_SHIFT;
	else if (!find_entry(table, addr))
		size = 1UL << LEVEL2_SHIFT;
	addr = ALIGN_DOWN(addr, size) + size;
	return addr >> ARM64_VA_BITS == 1 ? ARM64_ALIAS_OFFSET : addr;
}

unsigned long mmu_physical(unsigned long addr)
{
	return (*find_entry(root_of(addr), addr) & PTE_ADDR) + addr % PAGE_SIZE;
}

const char *mmu_describe(void)
{
	return "text read-only by TTBR0 and SCTLR.WXN, written through a TTBR1 alias of the writing CPU";
}
