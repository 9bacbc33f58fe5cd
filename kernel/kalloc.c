// SPDX-License-Identifier: MIT
/*
 * Blocks of any size, on general registers only: sizes up to a quarter page
 * share a page with blocks of the same class, larger ones are pages.
 *
 * A page of blocks begins with its header, so a block is never page-aligned and
 * its header is found by rounding down. An empty page goes back at once.
 */
#include "kernel/mm.h"

#include "base/bug.h"
#include "base/list.h"
#include "base/string.h"
#include "kernel/lock.h"

#define SMALLEST_SHIFT	4
#define NR_CLASSES	7	/* 16 .. 1024 bytes */
#define SLAB_MAGIC	0x51ab

struct free_block {
	struct free_block *next;
};

struct slab {
	struct list_head list;		/* of its class, while it has free blocks */
	struct free_block *free;
	u16 magic;
	u16 class;
	u16 used;
	u16 capacity;
};

#define HEADER_BYTES	ALIGN_UP(sizeof(struct slab), 16)

static struct spinlock kalloc_lock;
static struct list_head slabs[NR_CLASSES];

static size_t class_bytes(unsigned int class)
{
	return (size_t)1 << (SMALLEST_SHIFT + class);
}

static struct slab *slab_new(unsigned int class)
{
	struct slab *slab = page_alloc_dirty(0);
	size_t size = class_bytes(class);
	char *p = (char *)slab + HEADER_BYTES;

	if (!slab)
		return NULL;
	*slab = (struct slab){ .magic = SLAB_MAGIC, .class = class };
	for (; p + size <= (char *)slab + PAGE_SIZE; p += size) {
		((struct free_block *)p)->next = slab->free;
		slab->free = (struct free_block *)p;
		slab->capacity++;
	}
	list_add(&slab->list, &slabs[class]);
	return slab;
}

static void *small_alloc(unsigned int class)
{
	unsigned long flags = spin_lock(&kalloc_lock);
	struct list_head *head = &slabs[class];
	struct slab *slab;
	struct free_block *block = NULL;

	if (!head->next)
		list_init(head);
	slab = list_empty(head) ? slab_new(class) : list_entry(head->next, struct slab, list);
	if (slab) {
		block = slab->free;
		slab->free = block->next;
		slab->used++;
		if (!slab->free)
			list_del(&slab->list);
	}
	spin_unlock(&kalloc_lock, flags);
	return block ? memset(block, 0, class_bytes(class)) : NULL;
}

static void small_free(struct free_block *block)
{
	struct slab *slab = (struct slab *)ALIGN_DOWN((unsigned long)block, PAGE_SIZE);
	unsigned long flags = spin_lock(&kalloc_lock);

	BUG_ON(slab->magic != SLAB_MAGIC || slab->used == 0);
	if (!slab->free)
		list_add(&slab->list, &slabs[slab->class]);
	block->next = slab->free;
	slab->free = block;
	if (--slab->used == 0) {
		list_del(&slab->list);
		slab->magic = 0;
		page_free(slab, 0);
	}
	spin_unlock(&kalloc_lock, flags);
}

void *kalloc(size_t bytes)
{
	unsigned int n = 0;

	while (n < NR_CLASSES && class_bytes(n) < bytes)
		n++;
	if (n < NR_CLASSES)
		return small_alloc(n);
	for (n = 0; n <= PAGE_MAX_ORDER; n++) {
		if (bytes <= PAGE_SIZE << n)
			return page_alloc(n);
	}
	return NULL;
}

void kfree(void *p)
{
	if (!p)
		return;
	if ((unsigned long)p % PAGE_SIZE)
		small_free(p);
	else
		page_free(p, page_order(p));
}
