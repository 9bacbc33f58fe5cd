// SPDX-License-Identifier: MIT
/*
 * A set of site addresses, for filters: open addressing, at most half full, so
 * that a look-up ends after a step or two, also in a callback's path.
 *
 * Readers may be in any context. A hash that readers can reach is never changed:
 * writers publish a copy.
 */
#pragma once

#include "base/types.h"

struct ftrace_hash {
	u32 nr;			/* addresses in it */
	u32 shift;		/* 32 - log2(slots) */
	unsigned long ips[];	/* 0 = free slot */
};

/* Slots are found by the top bits of a product, whatever the addresses' alignment. */
static inline u32 hash_slot(const struct ftrace_hash *hash, unsigned long ip)
{
	return (u32)((u32)ip * 0x9e3779b1u) >> hash->shift;
}

static inline u32 hash_slots(const struct ftrace_hash *hash)
{
	return 1u << (32 - hash->shift);
}

static inline bool hash_has(const struct ftrace_hash *hash, unsigned long ip)
{
	u32 mask = hash_slots(hash) - 1, i = hash_slot(hash, ip);

	for (; hash->ips[i]; i = (i + 1) & mask) {
		if (hash->ips[i] == ip)
			return true;
	}
	return false;
}

static inline bool hash_is_empty(const struct ftrace_hash *hash)
{
	return !hash || !hash->nr;
}

/* Does a filter with this notrace list let @ip through? */
static inline bool hash_pair_wants(const struct ftrace_hash *filter,
				   const struct ftrace_hash *excluded, unsigned long ip)
{
	if (!hash_is_empty(excluded) && hash_has(excluded, ip))
		return false;
	return hash_is_empty(filter) || hash_has(filter, ip);
}

/**
 * hash_copy() - a copy with room for more
 * @from: what to copy, may be NULL
 * @more: how many addresses may be added
 *
 * Thread context. Return: the copy, NULL without memory.
 */
struct ftrace_hash *hash_copy(const struct ftrace_hash *from, u32 more);

/* May @more addresses be added as it is? */
bool hash_has_room(const struct ftrace_hash *hash, u32 more);

/* Add an address, once; there must be room. */
void hash_add(struct ftrace_hash *hash, unsigned long ip);
