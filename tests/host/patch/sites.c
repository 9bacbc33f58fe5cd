// SPDX-License-Identifier: MIT
/*
 * The table of call sites, from records as compilers and linkers leave them:
 * zeroes, duplicates, any order, dead code, landing pads, shapes that cannot be hooked.
 */
#include "tests/host/arch/fake.h"

#include <string.h>

#include "base/errno.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static const u8 padded_site[] = { 'E', 1, 2, 3, 'N', 0, 0, 0, 0, 'N', 0, 0, 0, 0 };
static const u8 odd_shape[] = { 'X', 0, 0, 0, 0 };
static const u8 no_site[] = { 'Q', 'Q', 'Q', 'Q', 'Q' };

static void init(const unsigned long *records, unsigned int n)
{
	fake_nr_events = 0;
	check(sites_init(records, records + n) == 0);
	/* Sites may have got their first instructions: they hold when it returns. */
	check(!n || fake_events[fake_nr_events - 1].kind == FAKE_SYNC);
	check(site_stats()->in_table == n && site_stats()->sites == nr_sites());
	for (unsigned int i = 1; i < nr_sites(); i++)
		check(site_at(i - 1)->ip < site_at(i)->ip);
	for (unsigned int i = 0; i < nr_sites(); i++)
		check(site_find(site_at(i)->ip) == site_at(i) && site_target(site_at(i)) == 0);
}

static unsigned long plain(unsigned long offset)
{
	return fake_function(offset, "plain", 32, fake_compiled_site, sizeof(fake_compiled_site));
}

static void test_empty(void)
{
	unsigned long zeroes[3] = { 0 };

	fake_reset();
	init(NULL, 0);
	check(nr_sites() == 0 && !site_find(0) && !site_find(0x1234));
	init(zeroes, 3);
	check(nr_sites() == 0 && site_stats()->zero == 3);
	check(!site_of_function((unsigned long)fake_text));
}

static void test_order(void)
{
	unsigned long a, b, c;

	fake_reset();
	a = plain(0x100);
	b = plain(0x200);
	c = plain(0x300);
	init((unsigned long[]){ 0, c, 0, a, b, a, 0, c, c }, 9);
	check(nr_sites() == 3 && site_at(0)->ip == a && site_at(1)->ip == b && site_at(2)->ip == c);
	check(site_stats()->zero == 3 && site_stats()->duplicate == 3);
	init((unsigned long[]){ a, b, c }, 3);
	check(nr_sites() == 3 && site_stats()->duplicate == 0 && site_stats()->zero == 0);
}

/* Outside text, in the code pool, in no symbol, in the middle of a function. */
static void test_outside(void)
{
	unsigned long pool = (unsigned long)fake_text + FAKE_TEXT_BYTES, good;
	static unsigned long data;

	fake_reset();
	good = plain(0x100);
	init((unsigned long[]){ (unsigned long)&data, 1, ~0UL, pool, pool + 16, good,
				(unsigned long)fake_text, good + 32 }, 8);
	check(nr_sites() == 1 && site_stats()->outside == 7);
	init((unsigned long[]){ good, good + 5 }, 2);
	check(nr_sites() == 1 && site_stats()->bad_bytes == 1);
	check(strstr(fake_console, "plain+0x5/0x20") != NULL);
}

static void test_shapes(void)
{
	unsigned long good, odd, none;

	fake_reset();
	good = plain(0x100);
	odd = fake_function(0x200, "odd", 32, odd_shape, sizeof(odd_shape));
	none = fake_function(0x300, "none", 32, no_site, sizeof(no_site));
	init((unsigned long[]){ good, odd, none }, 3);
	check(nr_sites() == 1 && site_stats()->refused == 1 && site_stats()->bad_bytes == 1);
	check(!site_find(odd) && !site_find(none));
	check(!site_of_function(odd) && !site_of_function(none));
}

/* The record of a landing pad's function answers for entry, pad and site, for nothing behind. */
static void test_landing_pad(void)
{
	unsigned long f, g, pad_only;

	fake_reset();
	f = fake_function(0x100, "f", 32, padded_site, sizeof(padded_site));
	g = plain(0x120);
	pad_only = fake_function(0x140, "pad_only", 32, "E\1\2\3QQQQQ", 9);
	init((unsigned long[]){ f + 4, g }, 2);
	check(nr_sites() == 2);
	for (unsigned int i = 0; i <= 4; i++)
		check(site_of_function(f + i) == site_at(0));
	check(!site_of_function(f + 5) && !site_of_function(f + 31));
	check(site_of_function(g) == site_at(1) && !site_of_function(g + 1));
	check(!site_of_function(pad_only) && !site_of_function(0x60));
}

/*
 * An overridden weak body: its record stays, its symbol is gone, and it lies
 * behind a function (a) with a site, (b) without. Nobody gets the dead record.
 */
static void test_weak(void)
{
	unsigned long with, without, dead;

	fake_reset();
	with = plain(0x100);			/* symbol of 32 bytes, dead body behind it */
	dead = with + 32;
	fake_corrupt(dead, 'N');
	memset(fake_console, 0, 1);
	for (unsigned int i = 1; i < ARCH_INSN_BYTES; i++)
		fake_corrupt(dead + i, 0);
	without = fake_function(0x200, "without", 32, no_site, sizeof(no_site));
	for (unsigned int i = 0; i < ARCH_INSN_BYTES; i++)
		fake_corrupt(without + 32 + i, i ? 0 : 'N');
	init((unsigned long[]){ with, dead, without + 32 }, 3);
	check(nr_sites() == 1 && site_stats()->outside == 2);
	check(site_of_function(with) == site_at(0));
	check(!site_of_function(dead) && !site_of_function(without) && !site_of_function(without + 32));
}

static void test_unreachable(void)
{
	unsigned long a, b;
	int error;

	fake_reset();
	a = plain(0x100);
	b = plain(0x200);
	fake_unreachable = b;
	init((unsigned long[]){ a, b }, 2);
	check(nr_sites() == 2 && site_stats()->unreachable == 1);
	check(!(site_at(0)->flags & FTRACE_FL_UNREACHABLE));
	check(site_at(1)->flags & FTRACE_FL_UNREACHABLE);
	check(strstr(fake_console, "out of branch reach") != NULL);
	error = text_poke_begin();
	check(!error && site_queue(site_at(1), a) == 0);
	check(text_poke_commit() == -ERANGE);
}

/* Sites at the ends of pages and words, and at the last bytes of text. */
static void test_places(void)
{
	unsigned long records[4];
	unsigned int n = 0;

	fake_reset();
	records[n++] = plain(4096 - 1);
	records[n++] = plain(8192 - 4);
	records[n++] = plain(0x3040);
	records[n++] = fake_function(FAKE_TEXT_BYTES - ARCH_INSN_BYTES, "last", ARCH_INSN_BYTES,
				     fake_compiled_site, ARCH_INSN_BYTES);
	init(records, n);
	check(nr_sites() == n && site_stats()->crossing == 2);
	check(text_poke_begin() == 0);
	for (unsigned int i = 0; i < n; i++)
		check(site_queue(site_at(i), (unsigned long)fake_text + 64) == 0);
	check(text_poke_commit() == 0);
	for (unsigned int i = 0; i < n; i++)
		check(arch_insn_target((u8 *)records[i], records[i]) == (unsigned long)fake_text + 64);
	check(*(u8 *)(records[0] - 1) == 'B' && *(u8 *)(records[1] - 1) == 'B');
	check(*(u8 *)(records[0] + 5) == 'N' && fake_text[FAKE_TEXT_BYTES] == 'B');
}

static void test_no_memory(void)
{
	unsigned long a;

	for (int after = 0; after < 3; after++) {
		fake_reset();
		a = plain(0x100);
		fake_fail_after = after;
		check(sites_init(&a, &a + 1) == -ENOMEM);
		check(nr_sites() == 0 && !site_find(a) && !site_of_function(a));
	}
}

int main(void)
{
	test_no_memory();
	test_empty();
	test_order();
	test_outside();
	test_shapes();
	test_landing_pad();
	test_weak();
	test_unreachable();
	test_places();
	return check_summary();
}
