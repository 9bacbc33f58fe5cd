// SPDX-License-Identifier: MIT
/* A set of site addresses: making and filling it. At most half full, always. */
#include "core/hash.h"
#include "base/bug.h"
#include "base/host.h"

#define MIN_SLOTS_LOG2	3

bool hash_has_room(const struct ftrace_hash *hash, u32 more)
{
	return hash && hash->nr + more <= hash_slots(hash) / 2;
}

void hash_add(struct ftrace_hash *hash, unsigned long ip)
{
	u32 mask = hash_slots(hash) - 1, i = hash_slot(hash, ip);

	while (hash->ips[i]) {
		if (hash->ips[i] == ip)
			return;
		i = (i + 1) & mask;
	}
	BUG_ON(!hash_has_room(hash, 1));
	hash->ips[i] = ip;
	hash->nr++;
}

/* Powers of two, so that adding one by one is linear in all. */
static struct ftrace_hash *hash_alloc(u32 nr)
{
	struct ftrace_hash *hash;
	u32 log2 = MIN_SLOTS_LOG2;

	while ((1u << log2) / 2 < nr)
		log2++;
	hash = host_alloc(sizeof(*hash) + (sizeof(hash->ips[0]) << log2));
	if (hash)
		hash->shift = 32 - log2;
	return hash;
}

struct ftrace_hash *hash_copy(const struct ftrace_hash *from, u32 more)
{
	struct ftrace_hash *to = hash_alloc((from ? from->nr : 0) + more);
	u32 i;

	if (!to || !from)
		return to;
	for (i = 0; i < hash_slots(from); i++) {
		if (from->ips[i])
			hash_add(to, from->ips[i]);
	}
	return to;
}
