// SPDX-License-Identifier: MIT
/* The code pool: random use against a model of its bytes, rounds, traps where it is free. */
#include "tests/host/arch/fake.h"

#include <stdlib.h>
#include <string.h>

#include "patch/code_pool.h"
#include "patch/text_poke.h"

#define NR_BLOCKS	64

static u8 *pool(void)
{
	return fake_text + FAKE_TEXT_BYTES;
}

static struct code_pool_stats stats(void)
{
	struct code_pool_stats s;

	code_pool_stats(&s);
	return s;
}

static bool holds(const u8 *p, u8 value, size_t n)
{
	while (n--)
		if (*p++ != value)
			return false;
	return true;
}

static void test_init(void)
{
	fake_reset();
	for (unsigned long i = 0; i < FAKE_POOL_BYTES; i++)
		if (i % 512 == 0)
			fake_corrupt((unsigned long)pool() + i, 0x11);
	code_pool_init();
	check(holds(pool(), 'B', FAKE_POOL_BYTES));
	check(stats().size == FAKE_POOL_BYTES && stats().used == 0);
	check(!code_pool_find((unsigned long)pool()));
	check(fake_events[fake_nr_events - 1].kind == FAKE_SYNC);
}

/* One round for all that was written, none for nothing; before other CPUs a sync. */
static void test_publish(void)
{
	u8 code[40] = { 1 };
	struct code_block *a = code_pool_alloc(33, "a"), *b = code_pool_alloc(1, "b");

	check(a && b && a->size == 48 && b->size == 16 && a->start % 16 == 0 && b->start % 16 == 0);
	fake_nr_events = 0;
	code_pool_write(a, code, 33);
	code_pool_publish();
	check(fake_count(FAKE_ROUND) == 0 && fake_count(FAKE_SYNC) == 1 && stats().rounds == 0);

	fake_smp_started = true;
	fake_cpus = 3;
	code_pool_publish();
	check(fake_count(FAKE_ROUND) == 0);
	code_pool_write(a, code, 33);
	code_pool_write(b, code, 16);
	check(fake_count(FAKE_ROUND) == 0);
	code_pool_publish();
	check(fake_count(FAKE_ROUND) == 1 && stats().rounds == 1);
	check(fake_events[fake_nr_events - 1].kind == FAKE_CLOSE);	/* touched behind the round */
	code_pool_publish();
	check(fake_count(FAKE_ROUND) == 1);
	check(memcmp((void *)a->start, code, 33) == 0);
	check(code_pool_find(a->start) == a && code_pool_find(a->start + 47) == a);
	code_pool_free(a);
	code_pool_free(b);
	check(holds(pool(), 'B', FAKE_POOL_BYTES) && stats().used == 0 && stats().blocks == 0);
}

/* What is given back before it was published is nobody's: the next round is not for it. */
static void test_free_unpublished(void)
{
	struct code_block *a = code_pool_alloc(16, "a");
	u8 code[16] = { 1 };

	fake_smp_started = true;
	fake_nr_events = 0;
	code_pool_write(a, code, sizeof(code));
	code_pool_free(a);
	code_pool_publish();
	check(fake_count(FAKE_ROUND) == 0 && fake_count(FAKE_TOUCH) == 0);
}

/* Most stores, or touches, that were made while text was open once. */
static unsigned int most_while_open(enum fake_event_kind kind)
{
	unsigned int n = 0, most = 0;

	for (unsigned int i = 0; i < fake_nr_events; i++) {
		n = fake_events[i].kind == FAKE_OPEN ? 0 : n + (fake_events[i].kind == kind);
		most = n > most ? n : most;
	}
	return most;
}

/* However large a block is, interrupts are off for 64 stores at a time. */
static void test_slices(void)
{
	static u8 code[4096];
	struct code_block *block = code_pool_alloc(sizeof(code), "large");

	fake_smp_started = true;
	fake_nr_events = 0;
	code_pool_write(block, code, sizeof(code));
	code_pool_publish();
	code_pool_free(block);
	check(fake_count(FAKE_TOUCH) == sizeof(code) / 4 && most_while_open(FAKE_TOUCH) == 64);
	check(fake_count(FAKE_WRITE) >= 2 * sizeof(code) / 4 && most_while_open(FAKE_WRITE) == 64);
}

struct model {
	struct code_block *block;
	u8 value;
	size_t size;
};

static void check_model(const struct model *model, unsigned long used, unsigned int nr)
{
	static bool taken[FAKE_POOL_BYTES];
	bool right = true;

	memset(taken, 0, sizeof(taken));
	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		const struct model *m = &model[i];
		unsigned long at;

		if (!m->block)
			continue;
		at = m->block->start - (unsigned long)pool();
		right &= at + m->block->size <= FAKE_POOL_BYTES && m->size <= m->block->size;
		right &= holds(pool() + at, m->value, m->size);
		for (unsigned long k = at; k < at + m->block->size; k++) {
			right &= !taken[k] && code_pool_find((unsigned long)pool() + k) == m->block;
			taken[k] = true;
		}
	}
	for (unsigned long k = 0; k < FAKE_POOL_BYTES; k++)
		if (!taken[k])
			right &= pool()[k] == 'B' && !code_pool_find((unsigned long)pool() + k);
	check(right && stats().used == used && stats().blocks == nr);
}

static void test_random(void)
{
	struct model model[NR_BLOCKS] = { 0 };
	static u8 code[1024];
	unsigned long used = 0;
	unsigned int nr = 0;

	srandom(1);
	fake_smp_started = false;
	for (unsigned int step = 0; step < 3000; step++) {
		struct model *m = &model[random() % NR_BLOCKS];

		if (m->block) {
			used -= m->block->size;
			nr--;
			code_pool_free(m->block);
			m->block = NULL;
		} else {
			unsigned int full = stats().full;

			m->size = 1 + random() % sizeof(code);
			m->value = 'a' + random() % 26;
			m->block = code_pool_alloc(m->size, "model");
			check(stats().full == full + !m->block);
			if (m->block) {
				memset(code, m->value, sizeof(code));
				code_pool_write(m->block, code, m->size);
				used += m->block->size;
				nr++;
			}
		}
		fake_nr_events = 0;
		if (step % 100 == 0)
			check_model(model, used, nr);
	}
	check(stats().full > 0 && stats().peak >= used && stats().peak <= FAKE_POOL_BYTES);
	for (unsigned int i = 0; i < NR_BLOCKS; i++)
		if (model[i].block)
			code_pool_free(model[i].block);
}

static void test_limits(void)
{
	struct code_block *all = code_pool_alloc(FAKE_POOL_BYTES, "all");

	check(all && !code_pool_alloc(1, "one more"));
	check(code_pool_find(all->start + FAKE_POOL_BYTES - 1) == all);
	check(!code_pool_find(all->start + FAKE_POOL_BYTES) && !code_pool_find(all->start - 1));
	check(!code_pool_find(0) && !code_pool_find(~0UL));
	fake_nr_events = 0;
	code_pool_free(all);
	/* A size that no pool has is refused, and nothing follows from it. */
	check(!code_pool_alloc(FAKE_POOL_BYTES + 1, "too big"));
	check(!code_pool_alloc(~0UL, "too big") && !code_pool_alloc((1UL << 36) + 16, "too big"));
	check(!code_pool_alloc(1UL << 36, "too big") && stats().used == 0);
	all = code_pool_alloc(16, "and now what there is");
	check(all != NULL);
	code_pool_free(all);
	fake_fail_after = 0;
	for (int i = 0; i < 200; i++) {
		struct code_block *block = code_pool_alloc(16, "no memory for a descriptor");

		if (!block)
			break;		/* the spare descriptors are used up */
		check(i < 199);
	}
	check(holds(pool(), 'B', FAKE_POOL_BYTES));
}

int main(void)
{
	test_init();
	test_publish();
	test_free_unpublished();
	test_slices();
	test_random();
	test_limits();
	return check_summary();
}
