// SPDX-License-Identifier: MIT
/*
 * Generated code: written through the alias, published to all CPUs by a round
 * of its own before anything points to it, freed only by who has made sure that
 * nobody is inside, filled with traps while free.
 */
#pragma once

#include "base/list.h"
#include "base/types.h"
#include "arch/arch.h"

struct code_block {
	unsigned long start;
	u32 size;			/* bytes, a multiple of 16 */
	u32 flags;
	struct trampoline_frame frame;	/* when CODE_TRAMPOLINE */
	const char *name;		/* for backtraces */
	struct list_head fresh;		/* linked while written and not yet published */
	struct code_block *next;	/* while it is spare */
};

#define CODE_TRAMPOLINE	(1u << 0)
#define CODE_RETURN	(1u << 1)	/* what a function returns to, see arch/fgraph.h */

struct code_pool_stats {
	size_t size, used, peak;	/* bytes */
	unsigned int blocks;
	unsigned int full;		/* allocations refused, also for want of memory */
	unsigned long rounds;		/* host_on_each_cpu() with HOST_ROUND_CODE */
};

/* Once, before code_pool_alloc(). */
void code_pool_init(void);

/**
 * code_pool_alloc() - reserve room
 * @size: bytes
 * @name: what it is, for backtraces; not copied
 *
 * Thread context. Return: the block, NULL when the pool is full or there is no memory for
 * its description (counted).
 */
struct code_block *code_pool_alloc(size_t size, const char *name);

/**
 * code_pool_write() - fill a block that nobody can reach yet
 * @block: from code_pool_alloc()
 * @code: its code
 * @size: bytes, <= block->size
 *
 * No CPU may run the block before code_pool_publish().
 */
void code_pool_write(struct code_block *block, const u8 *code, size_t size);

/* One round for all blocks written since the last one; none when there are none. */
void code_pool_publish(void);

/* Fill with traps and give back. The caller has made sure that nobody is inside. */
void code_pool_free(struct code_block *block);

/* Does an address lie in the pool? Any context. */
bool code_pool_covers(unsigned long addr);

/* The block that holds an address, NULL when there is none. Any context, lock-free. */
const struct code_block *code_pool_find(unsigned long addr);

void code_pool_stats(struct code_pool_stats *stats);
