// SPDX-License-Identifier: MIT
/*
 * Claims on text: an array sorted by address.
 *
 * A claim has @len bytes now and @next_len after the open batch: 0 is none. Those with a
 * @next_len never overlap, nor do those with a @len. text_mutex protects all.
 */
#include "patch/claim.h"

#include "base/errno.h"
#include "base/print.h"
#include "base/sort.h"
#include "base/string.h"
#include "patch/method.h"

struct claim {
	unsigned long addr;
	struct text_owner *owner;
	unsigned int len, next_len;
};

const struct text_owner text_sites = { .name = "a call site" };

static struct claim *claims;
static unsigned int nr_claims, capacity;
static bool changed;		/* by the open batch */

/* How many begin below @addr. */
static unsigned int count_below(unsigned long addr)
{
	const struct claim *last = addr ? bsearch_le(claims, nr_claims, sizeof(*claims), addr - 1) : NULL;

	return last ? last - claims + 1 : 0;
}

/* After the batch, who has one of these bytes? The last one that begins below their end. */
static struct claim *find_overlap(unsigned long addr, unsigned int len)
{
	unsigned int i = count_below(addr + len);

	while (i--) {
		if (claims[i].next_len)
			return claims[i].addr + claims[i].next_len > addr ? &claims[i] : NULL;
	}
	return NULL;
}

static bool is_site(unsigned long addr, unsigned int len)
{
	const struct dyn_ftrace *rec = site_before(addr + len - 1);
	struct text_poke pokes[ARCH_SITE_POKES];
	unsigned int n;

	if (!rec)
		return false;
	n = arch_site_pokes(rec->ip, 0, 0, pokes);
	return pokes[n - 1].addr + pokes[n - 1].len > addr;
}

static int refuse_owned(unsigned long addr, const struct text_owner *owner)
{
	char problem[80];

	format(problem, sizeof(problem), "claimed bytes that belong to %s", owner->name);
	return text_poke_refuse(addr, problem, -EBUSY);
}

/*
 * From the last to the first: each either yields what is in the way, or all stays. Who
 * yields queues changes, but claims nothing.
 */
static int ask_to_yield(unsigned long addr, unsigned int len)
{
	struct claim *c;

	while ((c = find_overlap(addr, len))) {
		unsigned int keeps = c->next_len;

		if (c->owner->yield) {
			keeps = min(keeps, c->owner->yield(c->owner, c->addr, c->next_len));
			if (text_poke_poisoned())
				return text_poke_poisoned();
		}
		if (keeps && c->addr + keeps > addr)
			return refuse_owned(c->addr, c->owner);
		c->next_len = keeps;
		changed = true;
	}
	return 0;
}

static int insert(unsigned long addr, unsigned int len, struct text_owner *owner)
{
	unsigned int at = count_below(addr);

	if (nr_claims == capacity && text_poke_grow((void **)&claims, &capacity, nr_claims, sizeof(*claims), addr))
		return -ENOMEM;
	memmove(&claims[at + 1], &claims[at], (nr_claims - at) * sizeof(*claims));
	claims[at] = (struct claim){ .addr = addr, .owner = owner, .next_len = len };
	nr_claims++;
	changed = true;
	return 0;
}

int text_claim(unsigned long addr, unsigned int len, struct text_owner *owner)
{
	int err;

	text_poke_open_batch();		/* or BUG */
	if (!len || !owner)
		return text_poke_refuse(addr, "a claim on no bytes, or of nobody", -EINVAL);
	if (!text_poke_is_text(addr, len))
		return text_poke_refuse(addr, "a claim on what is neither text nor code pool", -EFAULT);
	if (is_site(addr, len))
		return refuse_owned(addr, &text_sites);
	err = ask_to_yield(addr, len);
	return err ? err : insert(addr, len, owner);
}

int text_unclaim(unsigned long addr, struct text_owner *owner)
{
	text_poke_open_batch();
	for (unsigned int i = count_below(addr); i < nr_claims && claims[i].addr == addr; i++) {
		if (!claims[i].next_len || claims[i].owner != owner)
			continue;
		claims[i].next_len = 0;
		changed = true;
		return 0;
	}
	return text_poke_refuse(addr, "no claim to give up", -ENOENT);
}

const struct text_owner *text_owner_of(unsigned long addr)
{
	unsigned int i = count_below(addr + 1);

	text_poke_open_batch();
	if (is_site(addr, 1))
		return &text_sites;
	while (i--) {
		if (claims[i].len)
			return claims[i].addr + claims[i].len > addr ? claims[i].owner : NULL;
	}
	return NULL;
}

void claims_batch_done(bool committed)
{
	unsigned int n = 0;

	if (!changed)
		return;
	changed = false;
	for (unsigned int i = 0; i < nr_claims; i++) {
		unsigned int len = committed ? claims[i].next_len : claims[i].len;

		if (!len)
			continue;
		claims[n] = claims[i];
		claims[n].len = claims[n].next_len = len;
		n++;
	}
	nr_claims = n;
}
