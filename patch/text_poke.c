// SPDX-License-Identifier: MIT
/*
 * Batches of text changes: open, queue, commit.
 *
 * Nothing is written before everything is verified (verify.c), under
 * text_mutex, so a refused batch has changed no byte. The queue is two arrays that grow
 * by doubling, of spans of sites and of other changes; they are sorted only when an
 * append was out of order. Batches take turns, because addresses of the last one
 * stay known to trap handlers while the next one is queued. They keep their arrays: a
 * batch of a size seen before allocates nothing.
 */
#include "patch/text_poke.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/print.h"
#include "base/string.h"
#include "linker/sections.h"
#include "patch/method.h"

#define FIRST_CAPACITY	64U

/*
 * Trap handlers know the batch at hand and the one before. Whoever found the latter before
 * it was forgotten is out of its handler one round later, so its memory rests for a
 * batch more.
 */
#define NR_DESCRIPTORS	3

static struct host_mutex text_mutex;
static struct text_poke_batch batches[NR_DESCRIPTORS];
static unsigned int current_batch;
static struct text_poke_batch *batch = &batches[0];
static bool is_open;
static int poison;		/* first error of the open batch */
static bool unsettled;
static u64 longest_pause;
static struct text_poke_stats total;
static struct text_poke_stats before_last;	/* total when the last batch began to commit */

/* ---- open and close ---- */

__weak bool text_poke_in_callback(void)
{
	return false;
}

bool text_poke_allowed(void)
{
	return host_may_sleep() && !host_mutex_is_mine(&text_mutex) && !text_poke_in_callback();
}

/* Until other contexts can run there is nobody to exclude, and no thread to sleep. */
int text_poke_begin(void)
{
	if (host_smp_started()) {
		if (!text_poke_allowed())
			return -EBUSY;
		host_mutex_lock(&text_mutex);
	} else if (is_open) {
		return -EBUSY;
	}
	is_open = true;
	poison = 0;
	batch->nr_spans = batch->nr_pokes = 0;
	sites_batch_begin();
	return 0;
}

/* What was written stays known to trap handlers: the next batch takes other arrays. */
static void next_batch(void)
{
	current_batch = (current_batch + 1) % NR_DESCRIPTORS;
	batch = &batches[current_batch];
}

static void close_batch(bool committed)
{
	sites_batch_done(batch, committed);
	claims_batch_done(committed);
	if (committed && !text_poke_batch_is_empty(batch))
		next_batch();
	is_open = false;
	if (host_smp_started())
		host_mutex_unlock(&text_mutex);
}

void text_poke_abort(void)
{
	BUG_ON(!is_open);
	close_batch(false);
}

/* ---- queue ---- */

int text_poke_refuse(unsigned long addr, const char *problem, int error)
{
	pr_err("text_poke: %s at 0x%lx (%pS)\n", problem, addr, (void *)addr);
	if (!poison)
		poison = error;
	return error;
}

int text_poke_poisoned(void)
{
	return poison;
}

struct text_poke_batch *text_poke_open_batch(void)
{
	BUG_ON(!is_open);
	return batch;
}

int text_poke_grow(void **array, unsigned int *capacity, unsigned int nr, size_t size, unsigned long addr)
{
	unsigned int room = max(2 * *capacity, FIRST_CAPACITY);
	void *bigger = host_alloc(room * size);

	if (!bigger)
		return text_poke_refuse(addr, "no memory for a change", -ENOMEM);
	if (nr)
		memcpy(bigger, *array, nr * size);
	host_free(*array);
	*array = bigger;
	*capacity = room;
	return 0;
}

static bool in_range(unsigned long addr, unsigned int len, unsigned long start, unsigned long end)
{
	return addr >= start && addr < end && end - addr >= len;
}

bool text_poke_is_text(unsigned long addr, unsigned int len)
{
	size_t pool_bytes;
	unsigned long pool = host_code_pool(&pool_bytes);

	return in_range(addr, len, (unsigned long)__text_start, (unsigned long)__text_end) ||
	       in_range(addr, len, pool, pool + pool_bytes);
}

int text_poke_queue(unsigned long addr, const u8 *old, const u8 *new, unsigned int len)
{
	struct text_poke *poke;

	BUG_ON(!is_open);
	if (len == 0 || len > ARCH_INSN_BYTES)
		return text_poke_refuse(addr, "a change of no bytes, or of more than one instruction", -EINVAL);
	if (!text_poke_is_text(addr, len))
		return text_poke_refuse(addr, "neither text nor code pool", -EFAULT);
	if (batch->nr_pokes == batch->pokes_capacity &&
	    text_poke_grow((void **)&batch->pokes, &batch->pokes_capacity, batch->nr_pokes, sizeof(*poke), addr))
		return -ENOMEM;
	poke = &batch->pokes[batch->nr_pokes++];
	poke->addr = addr;
	poke->len = len;
	memcpy(poke->old, old, len);
	memcpy(poke->new, new, len);
	return 0;
}

/* ---- commit ---- */

void text_poke_note_pause(u64 start)
{
	u64 pause = host_clock() - start;

	if (pause > longest_pause)
		longest_pause = pause;
}

/* Whoever looked at the batch before the last one has left its handler. */
static void end_round(void)
{
	total.rounds++;
	text_poke_forget();
}

void text_poke_round(void (*fn)(void *arg), void *arg)
{
	host_on_each_cpu(fn, arg, HOST_ROUND_TEXT);
	end_round();
}

void text_poke_sync(void)
{
	host_sync_cpus(HOST_ROUND_TEXT);
	end_round();
}

void text_poke_touch(const struct text_poke_batch *b)
{
	if (text_poke_touching())
		text_poke_each_slice(b, &text_write_all, TEXT_PART_TOUCH);
}

/*
 * The whole batch, or parts of it one after the other when a limit is set. Their
 * descriptions take turns, from batch to batch too.
 */
static void commit_parts(const struct text_poke_method *method)
{
	static struct text_poke_batch parts[NR_DESCRIPTORS];
	static unsigned int turn;
	struct text_poke_batch rest = *batch;
	unsigned int limit = text_poke_limit();

	if (!limit) {
		method->commit(batch);
		return;
	}
	while (!text_poke_batch_is_empty(&rest)) {
		parts[turn] = text_poke_take(&rest, limit);
		method->commit(&parts[turn]);
		turn = (turn + 1) % NR_DESCRIPTORS;
	}
}

static void count_batch(void)
{
	unsigned long sites = text_poke_count_sites(batch);

	total.batches++;
	total.sites += sites;
	total.pokes += batch->nr_pokes;
	total.bytes += sites * ARCH_SITE_BYTES;
	for (unsigned int i = 0; i < batch->nr_pokes; i++)
		total.bytes += batch->pokes[i].len;
	total.crossing += text_poke_count_crossing(batch);
}

static int commit_open_batch(void)
{
	const struct text_poke_method *method = text_poke_method();
	int error = poison ? poison : text_poke_verify(batch, method);

	if (error)
		total.refused++;
	else if (!text_poke_batch_is_empty(batch)) {
		unsigned long ops = text_cache_ops;

		commit_parts(method);
		total.cache_ops += text_cache_ops - ops;
		count_batch();
	}
	return error;
}

int text_poke_commit(void)
{
	u64 start = host_clock();
	int error;

	BUG_ON(!is_open);
	text_poke_stats(&before_last, NULL);
	error = commit_open_batch();
	total.ticks += host_clock() - start;
	close_batch(!error);
	return error;
}

/* ---- settling and figures ---- */

void text_poke_note_unsettled(void)
{
	if (text_poke_touching())
		WRITE_ONCE(unsettled, true);
}

bool text_poke_unsettled(void)
{
	return READ_ONCE(unsettled);
}

void text_poke_settle(void)
{
	struct site_span all;
	struct text_poke_batch sites = { .spans = &all };

	if (nr_sites()) {
		all = (struct site_span){ site_at(0), site_at(0) + nr_sites(), 0 };
		sites.nr_spans = 1;
		sites.low = all.first;
		sites.high = all.end;
	}
	host_mutex_lock(&text_mutex);
	WRITE_ONCE(unsettled, false);
	text_poke_each_slice(&sites, &text_write_all, TEXT_PART_TOUCH);
	host_mutex_unlock(&text_mutex);
}

u64 text_poke_longest_pause(void)
{
	u64 pause = longest_pause;

	longest_pause = 0;
	return pause;
}

#define SINCE(member)	.member = now.member - before_last.member

void text_poke_stats(struct text_poke_stats *all, struct text_poke_stats *last)
{
	struct text_poke_stats now = total;

	text_poke_count_traps(&now.traps, &now.late_traps);
	if (last)
		*last = (struct text_poke_stats){
			SINCE(batches),
			SINCE(sites),
			SINCE(pokes),
			SINCE(bytes),
			SINCE(crossing),
			SINCE(rounds),
			SINCE(traps),
			SINCE(late_traps),
			SINCE(refused),
			SINCE(cache_ops),
			SINCE(ticks),
		};
	if (all)
		*all = now;
}

/* FNV-1a, 64 bits. */
u64 text_hash(void)
{
	const u8 *p = (const u8 *)__text_start;
	const u8 *end = (const u8 *)__code_pool_start;
	u64 hash = 0xcbf29ce484222325ULL;

	for (; p < end; p++)
		hash = (hash ^ *p) * 0x100000001b3ULL;
	return hash;
}
