// SPDX-License-Identifier: MIT
/*
 * Page tables of the ARM926EJ-S (ARM ARM DDI 0100I, B4): 1 MiB sections, and
 * coarse tables of 4 KiB pages where permissions change within a MiB.
 *
 *	0			page 0: unmapped, so that a null pointer faults
 *	link address		text and code pool R, rodata R, data RW
 *	other RAM, devices	RW, RAM write-back cached, devices not
 *	+ ARM_TEXT_ALIAS	text RW, between mmu_text_open() and _close() only
 *	0xffff0000		the vectors' page R
 *
 * Read-only is AP=00 with SCTLR.S set and .R clear: privileged code may read.
 * There is no execute-never. The caches are virtual: text is written only at its
 * alias, whose address never means anything else. The table walk does not look
 * into the data cache, so every descriptor is cleaned to memory when written.
 */
#include "kernel/port.h"

#include "base/bug.h"
#include "base/string.h"
#include "kernel/board.h"
#include "kernel/mm.h"
#include "linker/sections.h"

#include <port/cp15.h>
#include <port/vectors.h>

#define SECTION_SIZE		0x100000ul
#define SECTION_MASK		(SECTION_SIZE - 1)
#define NR_SECTIONS		4096
#define PAGES_PER_SECTION	256

#define TYPE_MASK		3u
#define TYPE_COARSE		1u
#define TYPE_SECTION		2u
#define TYPE_SMALL_PAGE		2u
#define COARSE			(TYPE_COARSE | 1u << 4)		/* bit 4: should be one */
#define SECTION			(TYPE_SECTION | 1u << 4)
#define COARSE_BASE		0xfffffc00u
#define CACHED_WRITE_BACK	0x0cu				/* C and B; none of them: device */
#define SECTION_AP_SHIFT	10
#define PAGE_AP_SHIFT		4				/* four subpages, two bits each */
#define DOMAIN(descriptor)	(((descriptor) >> 5) & 15)
#define DOMAIN_MANAGER		3u
#define DACR_DOMAIN0_CLIENT	1u

/* What a mapping allows to privileged code. */
#define AP_READ_ONLY		0u	/* together with SCTLR.S */
#define AP_READ_WRITE		1u

#define COOKIE_WAS_OPEN		0x100ul	/* beside the control byte of CPSR from irq_save() */

static u32 level1[NR_SECTIONS] __aligned(16384);

/* Level 2 tables: a few for the image, from pages once there are pages. */
#define NR_EARLY_TABLES		8
static u32 early_tables[NR_EARLY_TABLES][PAGES_PER_SECTION] __aligned(1024);
static unsigned int early_tables_used;

static bool text_is_open;

static void write_descriptor(u32 *descriptor, u32 value)
{
	WRITE_ONCE(*descriptor, value);
	dcache_clean_line(descriptor);
	cache_drain();
}

static u32 section_descriptor(unsigned long pa, u32 ap, u32 cache)
{
	return pa | ap << SECTION_AP_SHIFT | cache | SECTION;
}

/* AP of the page is that of each of its four subpages. */
static u32 page_descriptor(unsigned long pa, u32 ap, u32 cache)
{
	return pa | ap * 0x55u << PAGE_AP_SHIFT | cache | TYPE_SMALL_PAGE;
}

static u32 *new_table(void)
{
	static u32 *page;
	static unsigned int left;

	if (early_tables_used < NR_EARLY_TABLES)
		return early_tables[early_tables_used++];
	if (!left) {
		page = page_alloc(0);
		BUG_ON(!page);
		left = PAGE_SIZE / sizeof(early_tables[0]);
	}
	return page + --left * PAGES_PER_SECTION;
}

/* The level 2 table for an address; a section there is split into pages that say the same. */
static u32 *level2(unsigned long va)
{
	u32 *entry = &level1[va / SECTION_SIZE];
	u32 old = *entry, *table;
	unsigned int i;

	if ((old & TYPE_MASK) == TYPE_COARSE)
		return (u32 *)(unsigned long)(old & COARSE_BASE);
	table = new_table();
	for (i = 0; i < PAGES_PER_SECTION; i++) {
		u32 page = 0;

		if ((old & TYPE_MASK) == TYPE_SECTION)
			page = page_descriptor((old & ~SECTION_MASK) + i * PAGE_SIZE,
					       (old >> SECTION_AP_SHIFT) & 3, old & CACHED_WRITE_BACK);
		write_descriptor(&table[i], page);
	}
	write_descriptor(entry, (u32)(unsigned long)table | COARSE);
	tlb_invalidate_page(va);
	return table;
}

static u32 *page_entry(unsigned long va)
{
	return &level2(va)[(va & SECTION_MASK) / PAGE_SIZE];
}

/* Map [va, va + size) to pa on; page-aligned, and never reaching the top of memory. */
static void map(unsigned long va, unsigned long pa, unsigned long size, u32 ap, u32 cache)
{
	unsigned long end = va + size, step;

	for (; va < end; va += step, pa += step) {
		if (!((va | pa) & SECTION_MASK) && end - va >= SECTION_SIZE) {
			write_descriptor(&level1[va / SECTION_SIZE], section_descriptor(pa, ap, cache));
			step = SECTION_SIZE;
		} else {
			write_descriptor(page_entry(va), page_descriptor(pa, ap, cache));
			step = PAGE_SIZE;
		}
	}
}

static void map_read_only(const char *start, const char *end)
{
	map((unsigned long)start, (unsigned long)start, end - start, AP_READ_ONLY, CACHED_WRITE_BACK);
}

static void map_device(u64 start, u64 size)
{
	BUG_ON(start + size > ARM_TEXT_ALIAS);
	map(start, start, size, AP_READ_WRITE, 0);
}

static void map_memory(const struct memory_range *range)
{
	BUG_ON(range->start + range->size > ARM_TEXT_ALIAS);
	map(range->start, range->start, range->size, AP_READ_WRITE, CACHED_WRITE_BACK);
}

static void switch_on(void)
{
	u32 sctlr = sctlr_read();

	/* The caches were off: what they hold is old. Then the walk may begin. */
	caches_invalidate();
	cache_drain();
	tlb_invalidate();
	__asm__ volatile("mcr p15, 0, %0, c2, c0, 0" : : "r"(level1) : "memory");
	__asm__ volatile("mcr p15, 0, %0, c3, c0, 0" : : "r"(DACR_DOMAIN0_CLIENT) : "memory");
	sctlr &= ~SCTLR_ROM;
	sctlr |= SCTLR_MMU | SCTLR_ALIGN | SCTLR_DCACHE | SCTLR_ICACHE | SCTLR_SYSTEM | SCTLR_HIGH_VECTORS;
	sctlr_write(sctlr);
}

void mmu_init(void)
{
	unsigned int i;

	for (i = 0; i < machine.nr_memory; i++)
		map_memory(&machine.memory[i]);
	board_for_each_device(map_device);
	map((unsigned long)__image_start, (unsigned long)__image_start, __image_end - __image_start,
	    AP_READ_WRITE, CACHED_WRITE_BACK);
	map_read_only(__text_start, __text_end);
	map_read_only(__rodata_start, __rodata_end);
	write_descriptor(page_entry(0), 0);
	map(VECTORS_HIGH, (unsigned long)arm_vectors, PAGE_SIZE, AP_READ_ONLY, CACHED_WRITE_BACK);
	switch_on();
}

/* There is no second CPU. */
void mmu_init_cpu(void)
{
}

static void clean_invalidate_page(unsigned long page)
{
	unsigned long line;

	for (line = page; line < page + PAGE_SIZE; line += CACHE_LINE)
		dcache_clean_invalidate_line((const void *)line);
	cache_drain();
}

void mmu_unmap_guard(unsigned long page)
{
	unsigned long flags = irq_save();

	clean_invalidate_page(page);
	write_descriptor(page_entry(page), 0);
	tlb_invalidate_page(page);
	irq_restore(flags);
}

/* ---- the text alias -------------------------------------------------- */

/* Calls for each section of text; the alias has whole sections, so that opening is a store or two. */
static void set_alias(bool open)
{
	unsigned long pa = (unsigned long)__text_start & ~SECTION_MASK, va;

	for (; pa < (unsigned long)__text_end; pa += SECTION_SIZE) {
		va = pa + ARM_TEXT_ALIAS;
		write_descriptor(&level1[va / SECTION_SIZE],
				 open ? section_descriptor(pa, AP_READ_WRITE, CACHED_WRITE_BACK) : 0);
		if (!open)
			tlb_invalidate_page(va);
	}
}

/* Cookie: the interrupt state to go back to, and whether an outer pair is open. */
unsigned long mmu_text_open(void)
{
	unsigned long cookie = irq_save() & 0xff;

	if (text_is_open)
		return cookie | COOKIE_WAS_OPEN;
	set_alias(true);
	text_is_open = true;
	return cookie;
}

void mmu_text_close(unsigned long cookie)
{
	BUG_ON(!text_is_open);
	if (!(cookie & COOKIE_WAS_OPEN)) {
		text_is_open = false;
		set_alias(false);
	}
	irq_restore(cookie);
}

/* ---- what the live tables say ---------------------------------------- */

/* AP field of the mapping, or -1 when there is none. */
static int walk_ap(u32 entry, unsigned long addr)
{
	const u32 *table = (const u32 *)(unsigned long)(entry & COARSE_BASE);
	unsigned int subpage = (addr >> 10) & 3;

	if ((entry & TYPE_MASK) == TYPE_SECTION)
		return (entry >> SECTION_AP_SHIFT) & 3;
	if ((entry & TYPE_MASK) != TYPE_COARSE)
		return -1;
	entry = table[(addr & SECTION_MASK) / PAGE_SIZE];
	if ((entry & TYPE_MASK) != TYPE_SMALL_PAGE)
		return -1;
	return (entry >> (PAGE_AP_SHIFT + 2 * subpage)) & 3;
}

/* What a domain's AP allows to privileged code (ARM ARM, table B4-1). */
static bool decode_ap(int ap, u32 domain_access, bool *w)
{
	u32 sctlr = sctlr_read();

	*w = domain_access == DOMAIN_MANAGER || ap != 0;
	return *w || ((sctlr & SCTLR_SYSTEM) && !(sctlr & SCTLR_ROM)) ||
	       (!(sctlr & SCTLR_SYSTEM) && (sctlr & SCTLR_ROM));
}

bool mmu_walk(unsigned long addr, bool *w, bool *x)
{
	u32 ttbr, dacr, entry, access;
	int ap;

	__asm__ volatile("mrc p15, 0, %0, c2, c0, 0" : "=r"(ttbr));
	__asm__ volatile("mrc p15, 0, %0, c3, c0, 0" : "=r"(dacr));
	entry = ((const u32 *)(unsigned long)(ttbr & ~0x3fffu))[addr / SECTION_SIZE];
	ap = walk_ap(entry, addr);
	access = (dacr >> 2 * DOMAIN(entry)) & 3;
	if (ap < 0 || !(access & 1) || !decode_ap(ap, access, w))
		return false;
	*x = true;
	return true;
}

unsigned long mmu_next(unsigned long addr)
{
	bool by_pages = (level1[addr / SECTION_SIZE] & TYPE_MASK) == TYPE_COARSE;
	unsigned long size = by_pages ? PAGE_SIZE : SECTION_SIZE;

	return ALIGN_DOWN(addr, size) + size;
}

unsigned long mmu_physical(unsigned long addr)
{
	u32 entry = level1[addr / SECTION_SIZE];

	if ((entry & TYPE_MASK) == TYPE_SECTION)
		return (entry & ~SECTION_MASK) + addr % SECTION_SIZE;
	return (*page_entry(addr) & ~(PAGE_SIZE - 1)) + addr % PAGE_SIZE;
}

const char *mmu_describe(void)
{
	return "text and rodata read-only (AP=00, SCTLR.S); writable alias only while patching; "
	       "no execute-never on ARMv5";
}
