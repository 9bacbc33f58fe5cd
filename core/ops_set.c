// SPDX-License-Identifier: MIT
/*
 * Interned sets of ops: a hash table by content and a table by index.
 *
 * An index is not used again before its set is freed. A failed allocation
 * leaves all sets as they were.
 */
#include "core/ops_set.h"
#include "base/bug.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"

#define FIRST_HEADS	64u
#define CHUNK_SETS	1024u
#define MAX_CHUNKS	1024u

/*
 * By index. Chunks never move, so that whoever holds a record's index may look
 * it up while others are added (dispatch_set.c does, on the way to the ops). Behind a
 * chunk's slots there is a link for each: the next free index.
 */
static struct ops_set **chunks[MAX_CHUNKS];
static u32 nr_indices;		/* of the chunks there are; index 0 stays empty */
static u32 first_free;		/* index; 0: none */

static struct ops_set **heads;	/* by content */
static u32 nr_heads;		/* a power of two */
static u32 nr_sets;		/* linked, and unlinked but not freed */
static u32 nr_linked;
static u32 largest;		/* set that there ever was, in ops */

static struct ops_set **slot(u32 index)
{
	return &chunks[index / CHUNK_SETS][index % CHUNK_SETS];
}

static u32 *link_of(u32 index)
{
	return (u32 *)&chunks[index / CHUNK_SETS][CHUNK_SETS] + index % CHUNK_SETS;
}

struct ops_set *ops_set_at(u32 index)
{
	if (!index)
		return NULL;
	BUG_ON(index >= nr_indices || !*slot(index));
	return *slot(index);
}

unsigned int ops_set_total(void)
{
	return nr_linked;
}

u32 ops_set_largest(void)
{
	return largest;
}

unsigned int ops_set_flags(const struct ops_set *set)
{
	unsigned int flags = 0;

	for (u32 i = 0; i < set->nr; i++)
		flags |= set->ops[i]->flags;
	return flags;
}

static void link_set(struct ops_set **to, u32 nr, struct ops_set *set)
{
	struct ops_set **head = &to[set->hash & (nr - 1)];

	set->next = *head;
	*head = set;
}

static void unlink_set(struct ops_set *set)
{
	struct ops_set **p = &heads[set->hash & (nr_heads - 1)];

	while (*p != set)
		p = &(*p)->next;
	*p = set->next;
}

static int grow_heads(void)
{
	u32 nr = nr_heads ? 2 * nr_heads : FIRST_HEADS;
	struct ops_set **new = host_alloc(nr * sizeof(*new)), *set, *next;
	u32 i;

	if (!new)
		return -ENOMEM;
	for (i = 0; i < nr_heads; i++) {
		for (set = heads[i]; set; set = next) {
			next = set->next;
			link_set(new, nr, set);
		}
	}
	host_free(heads);
	heads = new;
	nr_heads = nr;
	return 0;
}

static void put_index(u32 index)
{
	*link_of(index) = first_free;
	first_free = index;
}

static u32 take_index(void)
{
	u32 index = first_free;

	first_free = *link_of(index);
	return index;
}

static int grow_indices(void)
{
	u32 nr = nr_indices / CHUNK_SETS;

	if (nr == MAX_CHUNKS)
		return -ENOMEM;
	chunks[nr] = host_alloc(CHUNK_SETS * (sizeof(*chunks[nr]) + sizeof(u32)));
	if (!chunks[nr])
		return -ENOMEM;
	nr_indices += CHUNK_SETS;
	for (u32 i = nr_indices - 1; i && i >= nr_indices - CHUNK_SETS; i--)
		put_index(i);
	return 0;
}

/* Room for one set more in both tables. */
static int make_room(void)
{
	int err = 0;

	if (nr_sets >= nr_heads)
		err = grow_heads();
	if (!err && !first_free)
		err = grow_indices();
	return err;
}

static struct ops_set *first_from(u32 head)
{
	for (; head < nr_heads; head++)
		if (heads[head])
			return heads[head];
	return NULL;
}

struct ops_set *ops_set_first(void)
{
	return first_from(0);
}

struct ops_set *ops_set_after(const struct ops_set *set)
{
	return set->next ? set->next : first_from((set->hash & (nr_heads - 1)) + 1);
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

static struct ops_set *find(u32 hash, struct ftrace_ops *const *ops, u32 nr)
{
	struct ops_set *set;

	for (set = nr_heads ? heads[hash & (nr_heads - 1)] : NULL; set; set = set->next) {
		if (set->hash == hash && set->nr == nr && !memcmp(set->ops, ops, nr * sizeof(ops[0])))
			return set;
	}
	return NULL;
}

static struct ops_set *create(u32 hash, struct ftrace_ops *const *ops, u32 nr)
{
	struct ops_set *set;

	if (make_room())
		return NULL;
	set = host_alloc(sizeof(*set) + nr * sizeof(set->ops[0]));
	if (!set)
		return NULL;
	largest = max(largest, nr);
	set->nr = nr;
	set->hash = hash;
	memcpy(set->ops, ops, nr * sizeof(ops[0]));
	set->index = take_index();
	*slot(set->index) = set;
	link_set(heads, nr_heads, set);
	nr_sets++;
	nr_linked++;
	return set;
}

int ops_set_intern(struct ftrace_ops *const *ops, u32 nr, struct ops_set **result)
{
	u32 hash = hash_ops(ops, nr);
	struct ops_set *set = find(hash, ops, nr);

	if (!set)
		set = create(hash, ops, nr);
	if (!set)
		return -ENOMEM;
	ops_set_hold(set);
	*result = set;
	return 0;
}

void ops_set_hold(struct ops_set *set)
{
	set->users++;
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
	*slot(set->index) = NULL;
	put_index(set->index);
	nr_sets--;
	host_free(set);
}

bool ops_set_has(const struct ops_set *set, const struct ftrace_ops *op)
{
	for (u32 i = 0; i < set->nr; i++)
		if (set->ops[i] == op)
			return true;
	return false;
}
