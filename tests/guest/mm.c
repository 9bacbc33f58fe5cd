// SPDX-License-Identifier: MIT
/* Pages and blocks: zeroed, apart from one another, and whole again when freed. */
#include "tests/test.h"

#include "base/list.h"
#include "base/string.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define BLOCKS	64
#define PASSES	12

/* xorshift: any order will do, but the same on every run. */
static u32 next_random(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static bool all_zero(const void *p, size_t n)
{
	const unsigned long *word = p;

	for (size_t i = 0; i < n / sizeof(*word); i++) {
		if (word[i])
			return false;
	}
	return true;
}

DEFINE_TEST(mm_pages)
{
	size_t before = mm_free_bytes();

	for (unsigned int order = 0; order <= 6; order++) {
		char *p = page_alloc(order);
		size_t bytes = PAGE_SIZE << order;

		report(p && (unsigned long)p % bytes == 0, "order %u: aligned to its size", order);
		report(all_zero(p, bytes), "order %u: zeroed", order);
		report(page_order(p) == order, "order %u: remembered", order);
		report(before - mm_free_bytes() == bytes, "order %u: accounted", order);
		memset(p, 0xa5, bytes);
		page_free(p, order);
	}
	report(mm_free_bytes() == before, "all is free again");
}

static unsigned int take_all(struct list_head *taken, unsigned int order)
{
	unsigned int n = 0;
	struct list_head *p;

	while ((p = page_alloc_dirty(order)) != NULL) {
		list_add(p, taken);
		n++;
	}
	return n;
}

/* Two lists, filled in turn, so that buddies are freed far from one another in time. */
static void give_all(struct list_head *taken, unsigned int order)
{
	LIST_HEAD(later);
	struct list_head *p;
	u32 random = 1;

	while (!list_empty(taken)) {
		p = taken->next;
		list_del(p);
		if (next_random(&random) & 1)
			list_add(p, &later);
		else
			page_free(p, order);
	}
	while (!list_empty(&later)) {
		p = later.next;
		list_del(p);
		page_free(p, order);
	}
}

DEFINE_TEST(mm_coalesce)
{
	LIST_HEAD(taken);
	size_t before = mm_free_bytes();
	unsigned int big = take_all(&taken, PAGE_MAX_ORDER), big_again, small;

	give_all(&taken, PAGE_MAX_ORDER);
	report(big > 0, "%u blocks of the largest order", big);
	small = take_all(&taken, 0);
	report(small == before / PAGE_SIZE && mm_free_bytes() == 0, "all memory as %u single pages", small);
	report(page_alloc(0) == NULL && kalloc(PAGE_SIZE) == NULL, "then there is none");
	give_all(&taken, 0);
	report(mm_free_bytes() == before, "all is free again");
	big_again = take_all(&taken, PAGE_MAX_ORDER);
	give_all(&taken, PAGE_MAX_ORDER);
	report(big_again == big, "and has become %u largest blocks again", big_again);
}

struct block {
	u8 *p;
	size_t bytes;
	u8 mark;
};

static bool block_intact(const struct block *b)
{
	for (size_t i = 0; i < b->bytes; i++) {
		if (b->p[i] != b->mark)
			return false;
	}
	return true;
}

static int replace(struct block *b, u32 *random)
{
	int wrong = 0;

	if (b->p) {
		wrong += !block_intact(b);
		kfree(b->p);
	}
	b->bytes = next_random(random) % (next_random(random) % 4 ? 300 : 9000) + 1;
	b->mark = next_random(random);
	b->p = kalloc(b->bytes);
	wrong += !b->p || (unsigned long)b->p % 16 || !all_zero(b->p, b->bytes);
	wrong += b->bytes >= PAGE_SIZE && (unsigned long)b->p % PAGE_SIZE;
	memset(b->p, b->mark, b->bytes);
	return wrong;
}

static int storm(void *arg)
{
	struct block blocks[BLOCKS] = { { .p = NULL } };
	u32 random = *(u32 *)arg;
	int wrong = 0;

	for (unsigned int i = 0; i < PASSES * BLOCKS; i++)
		wrong += replace(&blocks[next_random(&random) % BLOCKS], &random);
	for (unsigned int i = 0; i < BLOCKS; i++) {
		wrong += blocks[i].p && !block_intact(&blocks[i]);
		kfree(blocks[i].p);
	}
	return wrong;
}

DEFINE_TEST(mm_storm)
{
	struct thread *threads[MAX_CPUS];
	u32 seeds[MAX_CPUS];
	unsigned int n = smp_online();
	size_t before = 0;
	int wrong = 0;

	/* The first pass makes the threads' stacks, which are kept. */
	for (unsigned int pass = 0; pass < 2; pass++) {
		before = pass ? mm_free_bytes() : 0;
		for (unsigned int i = 0; i < n; i++) {
			seeds[i] = 1000 * pass + i + 1;
			threads[i] = thread_create("storm", storm, &seeds[i], i);
		}
		for (unsigned int i = 0; i < n; i++)
			wrong += thread_join(threads[i]);
	}
	report(wrong == 0, "%u CPUs at once: blocks zeroed, aligned and not shared (%d wrong)", n, wrong);
	report(mm_free_bytes() == before, "nothing is lost");
}
