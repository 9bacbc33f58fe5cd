// SPDX-License-Identifier: MIT
/*
 * The code pool: an area behind text, handed out in units of 16 bytes.
 *
 * owner[u] is the block that holds unit u, NULL while it is free; so an address
 * leads to its block by one load, from any context. A reader that asks for an
 * address it found on its own stack gets a block that cannot go away meanwhile
 * (its owner waits for quiescence before freeing). A reader with a stale address
 * may get a block that is being freed: struct code_block is never given back to
 * the host's memory, only reused, so what it reads is old, not wild.
 */
#include "patch/code_pool.h"

#include "base/atomic.h"
#include "base/bug.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/method.h"

#define UNIT	16UL
#define CHUNK	4U		/* bytes a store: what every ISA writes at once */
#define STORES_A_SLICE	64	/* bounds how long interrupts stay off */

static struct host_mutex pool_mutex;
static unsigned long pool_start;
static unsigned int nr_units;
static struct code_block **owner;
static unsigned int next_unit;		/* where the last search ended */
static unsigned int too_many = ~0u;	/* units in a row that there have not been since one was freed */
static LIST_HEAD(fresh_blocks);		/* written since the last round */
static struct code_block *spare;	/* descriptors for reuse */
static struct code_pool_stats stats;

/* ---- writing ---- */

/* Bytes at *code, or traps when it is NULL. */
static void store(unsigned long at, const u8 *code, size_t size)
{
	u8 traps[CHUNK];

	arch_fill_traps(traps, sizeof(traps));
	for (size_t done = 0; done < size; done += CHUNK)
		arch_text_write(at + done, code ? code + done : traps,
				min((size_t)CHUNK, size - done));
	arch_text_flush();
}

/* An emulator may have translated what was here before: see docs/design.md, "touch and heal". */
static void touch(unsigned long at, const u8 *unused, size_t size)
{
	for (size_t done = 0; done < size; done += CHUNK)
		arch_text_touch(at + done);
}

typedef void (*slice_fn)(unsigned long at, const u8 *code, size_t size);

/* With text open and interrupts off, both for a slice at a time. */
static void in_slices(slice_fn fn, unsigned long at, const u8 *code, size_t size)
{
	const size_t slice = STORES_A_SLICE * CHUNK;

	for (size_t done = 0; done < size; done += slice) {
		unsigned long flags = host_irq_save();
		unsigned long cookie = host_text_open();

		fn(at + done, code ? code + done : NULL, min(slice, size - done));
		host_text_close(cookie);
		host_irq_restore(flags);
	}
}

/* ---- units ---- */

static void lock(void)
{
	if (host_smp_started())
		host_mutex_lock(&pool_mutex);
}

static void unlock(void)
{
	if (host_mutex_is_mine(&pool_mutex))
		host_mutex_unlock(&pool_mutex);
}

void code_pool_init(void)
{
	size_t bytes;

	pool_start = host_code_pool(&bytes);
	nr_units = bytes / UNIT;
	stats.size = bytes;
	owner = host_alloc(nr_units * sizeof(*owner));
	BUG_ON(!owner);
	in_slices(store, pool_start, NULL, bytes);
	arch_text_sync();
}

static unsigned int unit_behind(const struct code_block *block)
{
	return (block->start + block->size - pool_start) / UNIT;
}

/* The first run of @n free units in [@unit, @end), -1 when there is none. */
static long find_run_in(unsigned int unit, unsigned int end, unsigned int n)
{
	unsigned int run = 0;

	while (unit < end) {
		run = owner[unit] ? 0 : run + 1;
		if (run == n)
			return unit + 1 - n;
		unit = owner[unit] ? unit_behind(owner[unit]) : unit + 1;
	}
	return -1;
}

/*
 * On from where the last search ended, then what lies before: so many blocks are found in time
 * linear in their number. A pool that is full says so at once.
 */
static long find_run(unsigned int n)
{
	long first;

	if (n >= too_many)
		return -1;
	first = find_run_in(next_unit, nr_units, n);
	if (first < 0)
		first = find_run_in(0, min(next_unit + n - 1, nr_units), n);
	if (first < 0)
		too_many = n;
	return first;
}

static struct code_block *new_descriptor(void)
{
	struct code_block *block = spare;

	if (!block)
		return host_alloc(sizeof(*block));
	spare = block->next;
	return block;
}

/* Release: pairs with the acquire in code_pool_find(): the descriptor is filled before it is seen. */
static void own_units(const struct code_block *block, struct code_block *by)
{
	unsigned int first = (block->start - pool_start) / UNIT;

	for (unsigned int u = 0; u < block->size / UNIT; u++)
		smp_store_release(&owner[first + u], by);
}

static void count_used(long bytes, int nr)
{
	stats.used += bytes;
	stats.blocks += nr;
	stats.peak = max(stats.peak, stats.used);
}

static struct code_block *take(size_t size, const char *name)
{
	long first = find_run(size / UNIT);
	struct code_block *block = first < 0 ? NULL : new_descriptor();

	if (!block)
		return NULL;
	*block = (struct code_block){
		.start = pool_start + first * UNIT, .size = size, .name = name,
	};
	list_init(&block->fresh);
	own_units(block, block);
	next_unit = unit_behind(block);
	count_used(size, 1);
	return block;
}

struct code_block *code_pool_alloc(size_t size, const char *name)
{
	struct code_block *block;

	BUG_ON(size == 0);
	lock();
	block = size <= stats.size ? take(ALIGN_UP(size, UNIT), name) : NULL;
	stats.full += !block;
	unlock();
	return block;
}

void code_pool_write(struct code_block *block, const u8 *code, size_t size)
{
	BUG_ON(size > block->size);
	lock();
	in_slices(store, block->start, code, size);
	list_del(&block->fresh);
	list_add_tail(&block->fresh, &fresh_blocks);
	unlock();
}

/* The round makes every CPU drop what it may have fetched of the pool's old bytes. */
static void publish_all(void)
{
	if (host_smp_started()) {
		stats.rounds++;
		host_sync_cpus(HOST_ROUND_CODE);
	} else {
		arch_text_sync();
	}
	while (!list_empty(&fresh_blocks)) {
		struct code_block *block = list_entry(fresh_blocks.next, struct code_block, fresh);

		if (text_poke_touching())
			in_slices(touch, block->start, NULL, block->size);
		list_del(&block->fresh);
	}
}

void code_pool_publish(void)
{
	lock();
	if (!list_empty(&fresh_blocks))
		publish_all();
	unlock();
}

void code_pool_free(struct code_block *block)
{
	lock();
	own_units(block, NULL);
	list_del(&block->fresh);
	too_many = ~0u;
	count_used(-(long)block->size, -1);
	in_slices(store, block->start, NULL, block->size);
	block->next = spare;
	spare = block;
	unlock();
}

const struct code_block *code_pool_find(unsigned long addr)
{
	unsigned long unit = (addr - pool_start) / UNIT;

	if (addr < pool_start || unit >= nr_units)
		return NULL;
	return smp_load_acquire(&owner[unit]);
}

void code_pool_stats(struct code_pool_stats *out)
{
	*out = stats;
}

bool code_pool_covers(unsigned long addr)
{
	return addr - pool_start < nr_units * UNIT;
}
