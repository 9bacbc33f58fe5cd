// SPDX-License-Identifier: MIT
/*
 * Page allocator: free blocks of 2^order pages, aligned to their size, split
 * and coalesced with their buddies.
 *
 * One state byte a page says what begins there: a free block, an allocated one,
 * or nothing. Links of free blocks lie in their first page.
 */
#include "kernel/mm.h"

#include "base/bug.h"
#include "base/host.h"
#include "base/list.h"
#include "base/string.h"
#include "kernel/lock.h"
#include "kernel/machine.h"
#include "linker/sections.h"

#define NR_ORDERS	(PAGE_MAX_ORDER + 1)

#define PAGE_NOTHING	0x00	/* inside a block, or not ours */
#define PAGE_FREE	0x80	/* | order: a free block begins here */
#define PAGE_USED	0x40	/* | order: an allocated one does */

static struct spinlock mm_lock;
static struct list_head free_blocks[NR_ORDERS];
static u8 *page_state;
static unsigned long first_pfn, end_pfn;
static size_t total_pages, free_pages;

static u8 *state_of(unsigned long pfn)
{
	return &page_state[pfn - first_pfn];
}

static struct list_head *block_at(unsigned long pfn)
{
	return (struct list_head *)(pfn << PAGE_SHIFT);
}

static unsigned long pfn_of(const void *p)
{
	return (unsigned long)p >> PAGE_SHIFT;
}

static void block_add(unsigned long pfn, unsigned int order)
{
	*state_of(pfn) = PAGE_FREE | order;
	list_add(block_at(pfn), &free_blocks[order]);
	free_pages += 1UL << order;
}

static void block_del(unsigned long pfn, unsigned int order)
{
	*state_of(pfn) = PAGE_NOTHING;
	list_del(block_at(pfn));
	free_pages -= 1UL << order;
}

static bool is_free(unsigned long pfn, unsigned int order)
{
	return pfn >= first_pfn && pfn < end_pfn && *state_of(pfn) == (PAGE_FREE | order);
}

static void block_free(unsigned long pfn, unsigned int order)
{
	while (order < PAGE_MAX_ORDER && is_free(pfn ^ (1UL << order), order)) {
		block_del(pfn ^ (1UL << order), order);
		pfn &= ~(1UL << order);
		order++;
	}
	block_add(pfn, order);
}

/* Return: page frame number of a block, 0 (never a block of ours) when there is none. */
static unsigned long block_alloc(unsigned int order)
{
	unsigned int o = order;
	unsigned long pfn;

	while (o < NR_ORDERS && list_empty(&free_blocks[o]))
		o++;
	if (o == NR_ORDERS)
		return 0;
	pfn = pfn_of(free_blocks[o].next);
	block_del(pfn, o);
	while (o > order) {
		o--;
		block_add(pfn + (1UL << o), o);
	}
	*state_of(pfn) = PAGE_USED | order;
	return pfn;
}

void *page_alloc_dirty(unsigned int order)
{
	unsigned long flags, pfn;

	BUG_ON(order > PAGE_MAX_ORDER);
	flags = spin_lock(&mm_lock);
	pfn = block_alloc(order);
	spin_unlock(&mm_lock, flags);
	return pfn ? (void *)(pfn << PAGE_SHIFT) : NULL;
}

void *page_alloc(unsigned int order)
{
	void *p = page_alloc_dirty(order);

	if (p)
		memset(p, 0, PAGE_SIZE << order);
	return p;
}

unsigned int page_order(const void *p)
{
	unsigned long pfn = pfn_of(p);

	BUG_ON((unsigned long)p % PAGE_SIZE || pfn < first_pfn || pfn >= end_pfn);
	BUG_ON((*state_of(pfn) & ~0x3f) != PAGE_USED);
	return *state_of(pfn) & 0x3f;
}

void page_free(void *p, unsigned int order)
{
	unsigned long flags = spin_lock(&mm_lock);

	BUG_ON(page_order(p) != order);
	*state_of(pfn_of(p)) = PAGE_NOTHING;
	block_free(pfn_of(p), order);
	spin_unlock(&mm_lock, flags);
}

size_t mm_total_bytes(void)
{
	return total_pages << PAGE_SHIFT;
}

size_t mm_free_bytes(void)
{
	return free_pages << PAGE_SHIFT;
}

/* Largest aligned blocks that fit, from the top down, so that low ones head the lists. */
static void add_range(unsigned long pfn, unsigned long end)
{
	while (end > pfn) {
		unsigned int order = PAGE_MAX_ORDER;

		while (end & ((1UL << order) - 1) || end - pfn < 1UL << order)
			order--;
		end -= 1UL << order;
		block_add(end, order);
	}
}

/* Give [pfn, end) to the allocator less the hole [from, to). */
static void add_around(unsigned long pfn, unsigned long end, unsigned long from, unsigned long to)
{
	total_pages += end - pfn;
	if (to <= pfn || from >= end) {
		add_range(pfn, end);
		return;
	}
	if (to < end)
		add_range(to, end);
	if (from > pfn)
		add_range(pfn, from);
}

/* Page numbers of a range, cut to what a pointer reaches and above page 0. */
static bool range_pfns(const struct memory_range *r, unsigned long *pfn, unsigned long *end)
{
	u64 limit = (u64)(~0UL >> PAGE_SHIFT);
	u64 first = max(r->start >> PAGE_SHIFT, (u64)1);
	u64 last = min((r->start + r->size) >> PAGE_SHIFT, limit);

	*pfn = first;
	*end = last;
	return first < last;
}

static void find_bounds(void)
{
	unsigned long pfn, end;

	first_pfn = ~0UL;
	for (unsigned int i = 0; i < machine.nr_memory; i++) {
		if (!range_pfns(&machine.memory[i], &pfn, &end))
			continue;
		first_pfn = min(first_pfn, pfn);
		end_pfn = max(end_pfn, end);
	}
	BUG_ON(first_pfn >= end_pfn);
}

/* The image and, right behind it, the state bytes: the hole in the memory that holds them. */
static void place_state(unsigned long *from, unsigned long *to)
{
	unsigned long start = ALIGN_UP((unsigned long)__image_end, PAGE_SIZE);
	unsigned long size = ALIGN_UP(end_pfn - first_pfn, PAGE_SIZE);
	unsigned long pfn, end;

	*from = pfn_of(__image_start);
	*to = (start + size) >> PAGE_SHIFT;
	for (unsigned int i = 0; i < machine.nr_memory; i++) {
		if (range_pfns(&machine.memory[i], &pfn, &end) && pfn <= start >> PAGE_SHIFT && *to <= end) {
			page_state = (u8 *)start;
			memset(page_state, PAGE_NOTHING, size);
			return;
		}
	}
	host_panic(NULL, "no room behind the image for the page allocator");
}

void mm_init(void)
{
	unsigned long pfn, end, from, to;

	for (unsigned int o = 0; o < NR_ORDERS; o++)
		list_init(&free_blocks[o]);
	find_bounds();
	place_state(&from, &to);
	for (unsigned int i = machine.nr_memory; i-- > 0; ) {
		if (range_pfns(&machine.memory[i], &pfn, &end))
			add_around(pfn, end, from, to);
	}
}
