// SPDX-License-Identifier: MIT
/*
 * Sets: the ops that hook a site, as an immutable array in order of
 * registration. Interned: equal sets are one object, so that a record needs only
 * an index and a trampoline can belong to a set.
 *
 * All under ftrace_mutex, but the arrays themselves may be read by generated code.
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"

struct ops_set {
	u32 index;		/* > 0; in struct dyn_ftrace::set */
	u32 nr;			/* ops in it, >= 1 */
	u32 users;		/* records that have it, and the change that made it */
	u32 hash;
	struct ops_set *next;	/* in its bucket; in the list of the dying when users is 0 */
	unsigned long target;	/* what its sites call; 0 = the design was not asked yet */
	struct code_block *block; /* generated for this set alone, or NULL */
	unsigned long other_target; /* the losing side while the design changes */
	struct code_block *other_block;
	u32 change;		/* the last change that took it from a record */
	bool has_result;	/* that change makes the same of it everywhere: @becomes */
	struct ops_set *becomes; /* NULL = nothing */
	struct ftrace_ops *ops[];
};

/**
 * ops_set_intern() - the set of these ops
 * @ops: in order of registration
 * @nr: how many, > 0
 * @result: the set; a new object comes without target
 *
 * The caller holds one use of the result. Return: 0 or -ENOMEM.
 */
int __must_check ops_set_intern(struct ftrace_ops *const *ops, u32 nr, struct ops_set **result);

/* The set of a record; NULL for index 0. No use of it is taken. */
struct ops_set *ops_set_at(u32 index);

/* Take one use, and drop one. The last one unlinks the set and moves it to the list @dying. */
void ops_set_hold(struct ops_set *set);
void ops_set_put(struct ops_set *set, struct ops_set **dying);

/* Forget an unlinked set; its block is the caller's. */
void ops_set_free(struct ops_set *set);

bool ops_set_has(const struct ops_set *set, const struct ftrace_ops *op);

/* All flags that its ops have, together. */
unsigned int ops_set_flags(const struct ops_set *set);

/* All sets that records have, in some order that lasts until one is added or dropped. */
struct ops_set *ops_set_first(void);
struct ops_set *ops_set_after(const struct ops_set *set);

/* How many these are, and the most ops that one of them ever had. */
unsigned int ops_set_total(void);
u32 ops_set_largest(void);
