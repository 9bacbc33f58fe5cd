// SPDX-License-Identifier: MIT
/* Who owns which bytes of text: claims as part of a batch, against an array of bytes. */
#include "tests/host/arch/fake.h"

#include <stdlib.h>
#include <string.h>

#include "base/errno.h"
#include "patch/claim.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define AREA_OFFSET	0x1000
#define AREA		256
#define NR_OWNERS	3

static unsigned long site, area;

static void make_image(void)
{
	fake_reset();
	site = fake_function(0x100, "f", 32, fake_compiled_site, sizeof(fake_compiled_site));
	area = (unsigned long)fake_text + AREA_OFFSET;
	check(sites_init(&site, &site + 1) == 0);
	fake_smp_started = true;
}

static unsigned int keep;	/* what yielding leaves */
static unsigned long asked;

static unsigned int yield(struct text_owner *owner, unsigned long addr, unsigned int len)
{
	asked = addr;
	return keep;
}

static struct text_owner stubborn = { "stubborn", NULL }, polite = { "polite", yield };

static int claim_one(unsigned long addr, unsigned int len, struct text_owner *owner)
{
	int error = text_poke_begin();

	check(error == 0);
	error = text_claim(addr, len, owner);
	check(text_poke_commit() == error);
	return error;
}

static int unclaim_one(unsigned long addr, struct text_owner *owner)
{
	int error = text_poke_begin();

	check(error == 0);
	error = text_unclaim(addr, owner);
	check(text_poke_commit() == error);
	return error;
}

static const struct text_owner *owner_of(unsigned long addr)
{
	const struct text_owner *owner;

	check(text_poke_begin() == 0);
	owner = text_owner_of(addr);
	text_poke_abort();
	return owner;
}

static void test_sites(void)
{
	make_image();
	check(owner_of(site) == &text_sites && owner_of(site + 4) == &text_sites);
	check(!owner_of(site - 1) && !owner_of(site + 5));
	for (int at = -6; at <= 6; at++) {
		bool overlaps = at > -2 && at < 5;

		check(claim_one(site + at, 2, &stubborn) == (overlaps ? -EBUSY : 0));
		check(unclaim_one(site + at, &stubborn) == (overlaps ? -ENOENT : 0));
	}
	check(fake_said("text_poke: claimed bytes that belong to a call site at 0x") == 6);
	check(fake_said("text_poke: no claim to give up at 0x") == 6);
}

/* A batch whose claim is refused changes nothing. */
static void test_transaction(void)
{
	u8 jump[ARCH_INSN_BYTES] = { 'J', 1, 2, 3, 4 };

	make_image();
	check(claim_one(area, 5, &stubborn) == 0 && owner_of(area + 4) == &stubborn && !owner_of(area + 5));
	check(text_poke_begin() == 0);
	check(text_poke_queue(area + 16, (u8 *)(area + 16), jump, sizeof(jump)) == 0);
	check(text_claim(area + 16, 5, &polite) == 0);
	check(text_claim(area + 3, 5, &polite) == -EBUSY);
	check(text_poke_commit() == -EBUSY);
	check(*(u8 *)(area + 16) == 'B' && !owner_of(area + 16) && owner_of(area + 3) == &stubborn);
	/* Given up in a batch that fails: as before. */
	check(text_poke_begin() == 0 && text_unclaim(area, &stubborn) == 0);
	check(text_owner_of(area) == &stubborn);
	text_poke_abort();
	check(owner_of(area) == &stubborn);
	/* What is given up in a batch is free in the same batch. */
	check(text_poke_begin() == 0 && text_unclaim(area, &stubborn) == 0 && text_claim(area, 3, &polite) == 0);
	check(text_poke_commit() == 0 && owner_of(area) == &polite && !owner_of(area + 3));
	check(unclaim_one(area, &stubborn) == -ENOENT && unclaim_one(area + 1, &polite) == -ENOENT);
	check(unclaim_one(area, &polite) == 0 && !owner_of(area));
}

static void test_yield(void)
{
	make_image();
	check(claim_one(area + 32, 5, &polite) == 0);
	keep = 5;
	check(claim_one(area + 34, 2, &stubborn) == -EBUSY && asked == area + 32);
	keep = 3;
	check(claim_one(area + 34, 2, &stubborn) == -EBUSY && owner_of(area + 36) == &polite);
	keep = 1;
	check(text_poke_begin() == 0 && text_claim(area + 34, 2, &stubborn) == 0);
	text_poke_abort();
	check(owner_of(area + 34) == &polite && owner_of(area + 36) == &polite);
	check(claim_one(area + 34, 2, &stubborn) == 0);
	check(owner_of(area + 32) == &polite && !owner_of(area + 33) && owner_of(area + 34) == &stubborn);
	keep = 0;
	check(claim_one(area + 32, 2, &stubborn) == 0 && owner_of(area + 33) == &stubborn);
}

static void test_arguments(void)
{
	static u8 data[8];

	make_image();
	check(claim_one(area, 0, &stubborn) == -EINVAL && claim_one(area, 1, NULL) == -EINVAL);
	check(claim_one((unsigned long)data, 1, &stubborn) == -EFAULT);
	check(claim_one((unsigned long)fake_text + FAKE_TEXT_BYTES + FAKE_POOL_BYTES - 1, 2, &stubborn) == -EFAULT);
	check(fake_said("text_poke: a claim on no bytes, or of nobody at 0x") == 2);
	check(fake_said("text_poke: a claim on what is neither text nor code pool at 0x") == 2);
}

static struct text_owner owners[NR_OWNERS] = { { "a", NULL }, { "b", NULL }, { "c", NULL } };
static struct { unsigned int start, len; int owner; } model[AREA], before[AREA];

static int model_at(unsigned int byte)
{
	for (unsigned int i = 0; i < AREA; i++)
		if (model[i].len && byte >= model[i].start && byte < model[i].start + model[i].len)
			return model[i].owner;
	return -1;
}

/* Batches of random claims and releases, some of which are dropped. */
static void random_batch(void)
{
	bool failed = false;

	memcpy(before, model, sizeof(model));
	check(text_poke_begin() == 0);
	for (unsigned int n = rand() % 6; n; n--) {
		unsigned int start = rand() % (AREA - 8), len = 1 + rand() % 8, owner = rand() % NR_OWNERS, i;
		bool taken = false;

		for (i = 0; i < len; i++)
			taken |= model_at(start + i) >= 0;
		if (rand() % 2) {
			check(text_claim(area + start, len, &owners[owner]) == (taken ? -EBUSY : 0));
			failed |= taken;
			for (i = 0; !taken && model[i].len; i++)
				;
			if (!taken)
				model[i].start = start, model[i].len = len, model[i].owner = owner;
			continue;
		}
		for (i = 0; i < AREA; i++)
			if (model[i].len && model[i].start == start && model[i].owner == (int)owner)
				break;
		check(text_unclaim(area + start, &owners[owner]) == (i < AREA ? 0 : -ENOENT));
		failed |= i == AREA;
		if (i < AREA)
			model[i].len = 0;
	}
	if (rand() % 4)
		check((text_poke_commit() != 0) == failed);
	else
		text_poke_abort(), failed = true;
	if (failed)
		memcpy(model, before, sizeof(model));
}

static void test_random(void)
{
	make_image();
	area += 0x1000;
	for (unsigned int i = 0; i < 20000; i++) {
		random_batch();
		if (i % 64)
			continue;
		for (unsigned int byte = 0; byte < AREA; byte++) {
			const struct text_owner *owner = owner_of(area + byte);

			check(owner == (model_at(byte) < 0 ? NULL : &owners[model_at(byte)]));
		}
		fake_nr_events = 0;
		*fake_console = 0;
	}
}

int main(void)
{
	test_sites();
	test_transaction();
	test_yield();
	test_arguments();
	test_random();
	return check_summary();
}
