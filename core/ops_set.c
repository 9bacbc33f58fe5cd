// SPDX-License-Identifier: MIT
/*
 * Interned sets of ops: a hash table by content and a table by index.
 *
 * An index is not used again before its set is freed. A failed allocation
 * leaves both tables as they were.
 */
#include "core/ops_set.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"

#define FIRST_CAPACITY	64u

static struct ops_set **table;	/* by index; [0] stays NULL */
static u32 capacity;		/* of table and buckets, a power of two */
static struct ops_set **buckets;
static u32 nr_sets;		/* linked, and unlinked but not freed */
static u32 nr_linked;
static u32 next_index = 1;	/* where to look first for a free one */

struct ops_set *ops_set_get(u32 index)
{
	if (!index)
		return NULL;
	BUG_ON(index >= capacity || !table[index]);
	return table[index];
}

unsigned int ops_set_count(void)
{
	return nr_linked;
}

static void link_set(struct ops_set **heads, u32 nr_heads, struct ops_set *set)
{
	struct ops_set **head = &heads[set->hash & (nr_heads - 1)];

	set->next = *head;
	*head = set;
}

static void unlink_set(struct ops_set *set)
{
	struct ops_set **p = &buckets[set->hash & (capacity - 1)];

	while (*p != set)
		p = &(*p)->next;
	*p = set->next;
}

static void move_buckets(struct ops_set **to, u32 nr_heads)
{
	struct ops_set *set, *next;
	u32 i;

	for (i = 0; i < capacity; i++) {
		for (set = buckets[i]; set; set = next) {
			next = set->next;
			link_set(to, nr_heads, set);
		}
	}
}

static int grow(void)
{
	u32 new_capacity = capacity ? 2 * capacity : FIRST_CAPACITY;
	struct ops_set **new_table = host_alloc(new_capacity * sizeof(*table));
	struct ops_set **new_buckets = host_alloc(new_capacity * sizeof(*buckets));

	if (!new_table || !new_buckets) {
		host_free(new_table);
		host_free(new_buckets);
		return -ENOMEM;
	}
	if (capacity)
		memcpy(new_table, table, capacity * sizeof(*table));
	move_buckets(new_buckets, new_capacity);
	host_free(table);
	host_free(buckets);
	table = new_table;
	buckets = new_buckets;
	capacity = new_capacity;
	return 0;
}

static u32 free_index(void)
{
	u32 i = next_index;

	while (table[i])
		i = i + 1 < capacity ? i + 1 : 1;
	next_index = i + 1 < capacity ? i + 1 : 1;
	return i;
}

static u32 hash_ops(struct ftrace_ops *const *ops, u32 nr)
{
	u32 hash = nr, i;

	for (i = 0; i < nr; i++) {
		hash = (hash ^ (u32)((unsigned long)ops[i] >> 4)) * 0x9e3779b1u;
		hash ^= hash >> 15;
	}
	return hash;
}

static struct ops_set *find_equal(const struct ops_set *like)
{
	struct ops_set *set;

	for (set = buckets[like->hash & (capacity - 1)]; set; set = set->next) {
		if (set->hash == like->hash && set->nr == like->nr &&
		    !memcmp(set->ops, like->ops, like->nr * sizeof(like->ops[0])))
			return set;
	}
	return NULL;
}

static struct ops_set *alloc_set(u32 nr)
{
	struct ops_set *set = host_alloc(sizeof(*set) + nr * sizeof(set->ops[0]));

	if (set)
		set->nr = nr;
	return set;
}

/* Takes @set, whose nr and ops are filled in, or an equal one in its stead. */
static int intern(struct ops_set *set, struct ops_set **result)
{
	struct ops_set *equal;

	if (nr_sets + 1 >= capacity && grow()) {
		host_free(set);
		return -ENOMEM;
	}
	set->hash = hash_ops(set->ops, set->nr);
	equal = find_equal(set);
	if (equal) {
		host_free(set);
		set = equal;
	} else {
		set->index = free_index();
		table[set->index] = set;
		link_set(buckets, capacity, set);
		nr_sets++;
		nr_linked++;
	}
	set->users++;
	*result = set;
	return 0;
}

int ops_set_with(const struct ops_set *set, struct ftrace_ops *op, struct ops_set **result)
{
	u32 nr = set ? set->nr : 0, i, at = 0;
	struct ops_set *new = alloc_set(nr + 1);

	if (!new)
		return -ENOMEM;
	while (at < nr && set->ops[at]->order < op->order)
		at++;
	for (i = 0; i < at; i++)
		new->ops[i] = set->ops[i];
	new->ops[at] = op;
	for (i = at; i < nr; i++)
		new->ops[i + 1] = set->ops[i];
	return intern(new, result);
}

int ops_set_without(const struct ops_set *set, struct ftrace_ops *op, struct ops_set **result)
{
	struct ops_set *new;
	u32 i, n = 0;

	*result = NULL;
	if (set->nr == 1)
		return 0;
	new = alloc_set(set->nr - 1);
	if (!new)
		return -ENOMEM;
	for (i = 0; i < set->nr; i++) {
		if (set->ops[i] == op)
			continue;
		BUG_ON(n == new->nr);
		new->ops[n++] = set->ops[i];
	}
	return intern(new, result);
}

void ops_set_put(struct ops_set *set, struct ops_set **dying)
{
	BUG_ON(!set->users);
	if (--set->users)
		return;
	unlink_set(set);
	nr_linked--;
	set->next = *dying;
	*dying = set;
}

void ops_set_free(struct ops_set *set)
{
	table[set->index] = NULL;
	nr_sets--;
	host_free(set);
}
