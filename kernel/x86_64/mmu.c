// SPDX-License-Identifier: MIT
/*
 * Page tables: an identity map with W^X, and a second root with the text alias.
 *
 *	slot 0 of both roots	RAM RW NX; text and code pool RX; rodata R;
 *				devices RW NX uncached; page 0 and guard pages absent
 *	slot 128, second root	text and code pool RW NX, X86_TEXT_ALIAS_OFFSET above
 *
 * Both roots share all that lies below slot 0. A CPU opens the alias by loading
 * the second root: nobody else sees it, so closing it needs no remote flush.
 * No entry is global: a load of CR3 drops every translation.
 */
#include "base/atomic.h"
#include "base/bug.h"
#include "kernel/board.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "linker/sections.h"

#define PTE_PRESENT	(1UL << 0)
#define PTE_WRITE	(1UL << 1)
#define PTE_UNCACHED	(3UL << 3)	/* PCD, PWT */
#define PTE_LARGE	(1UL << 7)
#define PTE_NX		(1UL << 63)
#define PTE_ADDRESS	0x000ffffffffff000UL

#define TABLE_ENTRIES	512
#define NR_LEVELS	4
#define LARGE_LEVEL	1
#define LARGE_SIZE	(1UL << 21)

#define MAP_TEXT	PTE_PRESENT
#define MAP_RODATA	(PTE_PRESENT | PTE_NX)
#define MAP_DATA	(PTE_PRESENT | PTE_WRITE | PTE_NX)
#define MAP_DEVICE	(MAP_DATA | PTE_UNCACHED)

#define CR0_WP		(1UL << 16)

static_assert(X86_TEXT_ALIAS_OFFSET % (1UL << 39) == 0, "the alias has a top-level slot of its own");

static u64 *root, *alias_root;
static struct spinlock guard_lock;

/* Counts guard pages taken away; switch_to() compares it with what its CPU has seen. */
unsigned int mmu_generation;

static unsigned int level_shift(unsigned int level)
{
	return PAGE_SHIFT + 9 * level;
}

static u64 *entry_in(u64 *table, unsigned long va, unsigned int level)
{
	return &table[va >> level_shift(level) & (TABLE_ENTRIES - 1)];
}

static u64 *table_of(u64 entry)
{
	return (u64 *)(entry & PTE_ADDRESS);
}

static u64 *table_alloc(void)
{
	u64 *table = page_alloc(0);

	BUG_ON(!table);
	return table;
}

/* The same translation by 512 small pages. Visible to a walker only when complete. */
static void split_large(u64 *entry)
{
	u64 *table = table_alloc();
	u64 small = *entry & ~PTE_LARGE;

	for (unsigned int i = 0; i < TABLE_ENTRIES; i++)
		table[i] = small + i * PAGE_SIZE;
	smp_store_release(entry, (unsigned long)table | PTE_PRESENT | PTE_WRITE);
}

/* The entry of @va at @level, with the tables above it made as needed. Rights are decided at the leaf. */
static u64 *walk_create(u64 *table, unsigned long va, unsigned int level)
{
	for (unsigned int l = NR_LEVELS - 1; l > level; l--) {
		u64 *entry = entry_in(table, va, l);

		if (!(*entry & PTE_PRESENT))
			*entry = (unsigned long)table_alloc() | PTE_PRESENT | PTE_WRITE;
		else if (*entry & PTE_LARGE)
			split_large(entry);
		table = table_of(*entry);
	}
	return entry_in(table, va, level);
}

/* May [va, va + 2 MiB) be one entry? Not where small pages are in place already. */
static bool fits_large(unsigned long va, unsigned long pa, unsigned long left, u64 *pml4)
{
	u64 *entry;

	if (va % LARGE_SIZE || pa % LARGE_SIZE || left < LARGE_SIZE)
		return false;
	entry = walk_create(pml4, va, LARGE_LEVEL);
	return !(*entry & PTE_PRESENT) || (*entry & PTE_LARGE);
}

static void map(u64 *pml4, unsigned long va, unsigned long pa, unsigned long size, u64 flags)
{
	unsigned long step;

	for (; size; va += step, pa += step, size -= step) {
		if (fits_large(va, pa, size, pml4)) {
			step = LARGE_SIZE;
			*walk_create(pml4, va, LARGE_LEVEL) = pa | flags | PTE_LARGE;
		} else {
			step = PAGE_SIZE;
			*walk_create(pml4, va, 0) = pa | flags;
		}
	}
}

static void map_image(const char *start, const char *end, u64 flags)
{
	map(root, (unsigned long)start, (unsigned long)start, end - start, flags);
}

static void map_device(u64 start, u64 size)
{
	unsigned long first = ALIGN_DOWN(start, PAGE_SIZE);

	map(root, first, first, ALIGN_UP(start + size, PAGE_SIZE) - first, MAP_DEVICE);
}

static void map_alias(void)
{
	unsigned long text = (unsigned long)__text_start;

	for (unsigned int i = 0; i < TABLE_ENTRIES; i++)
		alias_root[i] = root[i];
	map(alias_root, text + X86_TEXT_ALIAS_OFFSET, text, __text_end - __text_start, MAP_DATA);
}

void mmu_init(void)
{
	root = table_alloc();
	alias_root = table_alloc();

	for (unsigned int i = 0; i < machine.nr_memory; i++) {
		const struct memory_range *m = &machine.memory[i];

		map(root, m->start, m->start, m->size, MAP_DATA);
	}
	/* Page 0 stays out even where firmware says it is RAM. */
	*walk_create(root, 0, 0) = 0;

	map_image(__text_start, __text_end, MAP_TEXT);
	map_image(__rodata_start, __rodata_end, MAP_RODATA);
	map_image(__data_start, __image_end, MAP_DATA);
	board_for_each_device(map_device);
	map_alias();
	mmu_init_cpu();
}

static unsigned long read_cr3(void)
{
	unsigned long cr3;

	__asm__ volatile("movq %%cr3, %0" : "=r"(cr3) : : "memory");
	return cr3;
}

static void write_cr3(unsigned long cr3)
{
	__asm__ volatile("movq %0, %%cr3" : : "r"(cr3) : "memory");
}

/* CR0.WP and EFER.NXE are on since boot/x86_64/longmode.h. */
void mmu_init_cpu(void)
{
	this_cpu()->scratch[0] = READ_ONCE(mmu_generation);
	write_cr3((unsigned long)root);
}

void mmu_unmap_guard(unsigned long page)
{
	unsigned long flags = spin_lock(&guard_lock);

	*walk_create(root, page, 0) = 0;
	/* Partner: switch_to() reads the count before it runs a thread on the stack above the page. */
	smp_store_release(&mmu_generation, mmu_generation + 1);
	spin_unlock(&guard_lock, flags);

	__asm__ volatile("invlpg (%0)" : : "r"(page) : "memory");
}

unsigned long mmu_text_open(void)
{
	unsigned long cookie = read_cr3();

	write_cr3((unsigned long)alias_root);
	return cookie;
}

void mmu_text_close(unsigned long cookie)
{
	write_cr3(cookie);
}

bool mmu_walk(unsigned long addr, bool *w, bool *x)
{
	u64 *table = table_of(read_cr3());
	u64 rights = PTE_WRITE, entry;
	unsigned long cr0;

	*w = *x = false;
	for (unsigned int level = NR_LEVELS; level--;) {
		entry = *entry_in(table, addr, level);
		if (!(entry & PTE_PRESENT))
			return false;
		rights = (rights & entry & PTE_WRITE) | ((rights | entry) & PTE_NX);
		if (level && (entry & PTE_LARGE))
			break;
		table = table_of(entry);
	}
	__asm__ volatile("movq %%cr0, %0" : "=r"(cr0));
	*w = (rights & PTE_WRITE) || !(cr0 & CR0_WP);
	*x = !(rights & PTE_NX);
	return true;
}

/* The entry at which a walk of the live tables ends, and the bytes that it is about. */
static u64 last_entry(unsigned long addr, unsigned long *size)
{
	u64 *table = table_of(read_cr3());
	unsigned int level = NR_LEVELS;
	u64 entry;

	do {
		entry = *entry_in(table, addr, --level);
		table = table_of(entry);
	} while (level && (entry & PTE_PRESENT) && !(entry & PTE_LARGE));
	*size = 1UL << level_shift(level);
	return entry;
}

/* Addresses from bit 47 on stand for the canonical ones that the same entries translate. */
unsigned long mmu_next(unsigned long addr)
{
	unsigned long size;

	last_entry(addr, &size);
	addr = ALIGN_DOWN(addr, size) + size;
	return addr >> level_shift(NR_LEVELS) ? 0 : addr;
}

unsigned long mmu_physical(unsigned long addr)
{
	unsigned long size;
	u64 entry = last_entry(addr, &size);

	return ALIGN_DOWN(entry & PTE_ADDRESS, size) + addr % size;
}

const char *mmu_describe(void)
{
	return "text R-X, rodata R--, all else RW-; CR0.WP and EFER.NXE on; "
	       "text is written through an alias in a second root";
}
