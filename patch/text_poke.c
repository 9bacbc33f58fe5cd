// SPDX-License-Identifier: MIT
/*
 * Batches of text changes: open, queue, commit.
 *
 * Nothing is written before everything is verified (verify.c), under
 * text_mutex, so a refused batch has changed no byte. The queue is an array that grows by
 * doubling; it is sorted only when an append was out of order. Two arrays take
 * turns, because addresses of the last batch stay known to trap handlers while
 * the next one is queued. They keep their size: a batch of a size seen before
 * allocates nothing.
 */
#include "patch/text_poke.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "linker/sections.h"
#include "patch/method.h"

#define FIRST_CAPACITY	64U
#define SLICE_POKES	64	/* bounds how long interrupts stay off */

static const struct text_poke_method *const all_methods[] = {
	&text_poke_breakpoint, &text_poke_atomic, &text_poke_nosync, &text_poke_stop, &text_poke_local,
};

/* Of these, what this ISA has; the first is the default. */
static const char *const method_names[] = { ARCH_TEXT_METHODS };

static const struct text_poke_method *find_method(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(all_methods); i++)
		if (strcmp(all_methods[i]->name, name) == 0)
			return all_methods[i];
	BUG();
}

static struct host_mutex text_mutex;
static struct text_poke_batch batches[2];
static struct text_poke_batch *batch = &batches[0];
struct text_poke *text_poke_next, *text_poke_end;
static bool is_open;
static int poison;		/* first error of the open batch */
static const struct text_poke_method *selected;
static int touch_mode = -1;
static unsigned int batch_limit;	/* 0: none */
static bool completion = true;
static u64 longest_pause;
static struct text_poke_stats total;
static struct text_poke_stats before_last;	/* total when the last batch began to commit */

/* ---- open and close ---- */

/* Until other contexts can run there is nobody to exclude, and no thread to sleep. */
int text_poke_begin(void)
{
	if (host_smp_started()) {
		if (!host_may_sleep() || host_mutex_is_mine(&text_mutex))
			return -EBUSY;
		host_mutex_lock(&text_mutex);
	} else if (is_open) {
		return -EBUSY;
	}
	is_open = true;
	poison = 0;
	batch->others = false;
	text_poke_next = batch->pokes;
	text_poke_end = batch->pokes + batch->capacity;
	return 0;
}

static void close_batch(bool committed)
{
	sites_batch_done(committed);
	text_poke_next = text_poke_end = NULL;
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

int text_poke_poison(int error)
{
	if (!poison)
		poison = error;
	return error;
}

int text_poke_grow(unsigned int n)
{
	unsigned int nr = text_poke_next - batch->pokes;
	unsigned int twice = max(2 * batch->capacity, FIRST_CAPACITY);
	unsigned int capacity = max(twice, nr + n);
	struct text_poke *pokes;

	BUG_ON(!is_open);
	pokes = host_alloc(capacity * sizeof(*pokes));
	if (!pokes)
		return text_poke_poison(-ENOMEM);
	if (nr)
		memcpy(pokes, batch->pokes, nr * sizeof(*pokes));
	host_free(batch->pokes);
	batch->pokes = pokes;
	batch->capacity = capacity;
	text_poke_next = pokes + nr;
	text_poke_end = pokes + capacity;
	return 0;
}

static bool in_range(unsigned long addr, unsigned int len, unsigned long start, unsigned long end)
{
	return addr >= start && addr < end && end - addr >= len;
}

static bool is_text(unsigned long addr, unsigned int len)
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
		return text_poke_poison(-EINVAL);
	if (!is_text(addr, len))
		return text_poke_poison(-EFAULT);
	if (!text_poke_has_room(1) && text_poke_grow(1))
		return -ENOMEM;
	poke = text_poke_next++;
	poke->addr = addr;
	poke->len = len;
	if (likely(len == ARCH_INSN_BYTES)) {
		__builtin_memcpy(poke->old, old, ARCH_INSN_BYTES);
		__builtin_memcpy(poke->new, new, ARCH_INSN_BYTES);
	} else {
		memcpy(poke->old, old, len);
		memcpy(poke->new, new, len);
	}
	batch->others |= !text_poke_is_swappable(poke);
	return 0;
}

/* ---- commit ---- */

void text_poke_each_slice(const struct text_poke_batch *b, text_poke_slice_fn fn)
{
	const struct text_poke *poke = b->pokes;
	const struct text_poke *end = poke + b->nr;

	while (poke < end) {
		const struct text_poke *stop = end - poke > SLICE_POKES ? poke + SLICE_POKES : end;
		unsigned long flags, cookie;
		u64 start;

		while (stop < end && stop[-1].addr + stop[-1].len == stop->addr)
			stop++;
		flags = host_irq_save();
		start = host_clock();
		cookie = host_text_open();
		fn(poke, stop);
		arch_text_flush();
		host_text_close(cookie);
		text_poke_note_pause(start);
		host_irq_restore(flags);
		poke = stop;
	}
}

void text_poke_write_slice(const struct text_poke *poke, const struct text_poke *end)
{
	arch_text_write_part(poke, end, TEXT_PART_WHOLE);
}

void text_poke_note_pause(u64 start)
{
	u64 pause = host_clock() - start;

	if (pause > longest_pause)
		longest_pause = pause;
}

static void do_nothing(void *arg)
{
}

void text_poke_round(void (*fn)(void *arg), void *arg)
{
	total.rounds++;
	host_on_each_cpu(fn ? fn : do_nothing, arg, HOST_ROUND_TEXT);
	/* Whoever looked at the batch before the last one has left its handler. */
	text_poke_forget();
}

bool text_poke_touching(void)
{
	return touch_mode != 0;
}

static const struct text_poke_method *choose(void)
{
	const struct text_poke_method *method = selected ? selected : find_method(method_names[0]);

	if (!host_smp_started())
		return &text_poke_direct;
	if (method->usable && !method->usable(batch))
		return &text_poke_stop;
	return method;
}

/* Where the part that begins at @start ends: changes that touch one another stay together. */
static unsigned int part_end(unsigned int start)
{
	unsigned int end = batch->nr - start > batch_limit ? start + batch_limit : batch->nr;

	while (end < batch->nr && batch->pokes[end - 1].addr + batch->pokes[end - 1].len == batch->pokes[end].addr)
		end++;
	return end;
}

/*
 * The whole batch, or parts of it one after the other when a limit is set. Two
 * descriptions take turns, from batch to batch too: a part's is known to trap
 * handlers until the next part's first round.
 */
static void commit_parts(const struct text_poke_method *method)
{
	static struct text_poke_batch parts[2];
	static unsigned int turn;
	unsigned int start, end;

	if (!batch_limit || batch->nr <= batch_limit) {
		method->commit(batch);
		return;
	}
	for (start = 0; start < batch->nr; start = end) {
		end = part_end(start);
		parts[turn] = *batch;
		parts[turn].pokes += start;
		parts[turn].nr = end - start;
		method->commit(&parts[turn]);
		turn = !turn;
	}
}

/* The array just written stays known to trap handlers: the next batch takes the other one. */
static void commit_batch(const struct text_poke_check *check)
{
	commit_parts(choose());
	total.batches++;
	total.pokes += batch->nr;
	total.bytes += check->bytes;
	total.crossing += check->crossing;
	batch = batch == &batches[0] ? &batches[1] : &batches[0];
}

int text_poke_commit(void)
{
	struct text_poke_check check;
	int error = poison;

	BUG_ON(!is_open);
	batch->nr = text_poke_next - batch->pokes;
	text_poke_stats(&before_last, NULL);
	if (!error)
		error = text_poke_verify(batch, &check);
	if (error)
		total.refused++;
	else if (batch->nr)
		commit_batch(&check);
	close_batch(!error);
	return error;
}

/* ---- choices and figures ---- */

int text_poke_select(const char *name)
{
	if (strcmp(name, "auto") == 0)
		name = method_names[0];
	for (unsigned int i = 0; i < ARRAY_SIZE(method_names); i++) {
		if (strcmp(name, method_names[i]) != 0)
			continue;
		WRITE_ONCE(selected, find_method(name));
		return 0;
	}
	return -EINVAL;
}

const char *text_poke_method_name(void)
{
	return selected ? selected->name : method_names[0];
}

void text_poke_set_touch(int mode)
{
	WRITE_ONCE(touch_mode, mode);
}

void text_poke_set_limit(unsigned int nr)
{
	WRITE_ONCE(batch_limit, nr);
}

void text_poke_set_completion(bool wanted)
{
	WRITE_ONCE(completion, wanted);
}

bool text_poke_completing(void)
{
	return completion;
}

u64 text_poke_longest_pause(void)
{
	u64 pause = longest_pause;

	longest_pause = 0;
	return pause;
}

#define SINCE(member)	(now.member - before_last.member)

void text_poke_stats(struct text_poke_stats *all, struct text_poke_stats *last)
{
	struct text_poke_stats now = total;

	text_poke_count_traps(&now.traps, &now.late_traps);
	if (last)
		*last = (struct text_poke_stats){
			SINCE(batches), SINCE(pokes), SINCE(bytes), SINCE(crossing),
			SINCE(rounds), SINCE(traps), SINCE(late_traps), SINCE(refused),
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
