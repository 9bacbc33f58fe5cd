// SPDX-License-Identifier: MIT
/*
 * How the ops of a site become the target of its call: a *design*, an object,
 * so that trying another one is one file.
 *
 * A *set* is the immutable array of ops that hook a site, interned: equal sets
 * are one object, and the record holds its index.
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"

struct ops_set {
	u32 index;		/* > 0; in struct dyn_ftrace::set */
	u32 nr;			/* ops in it, >= 1, in order of registration */
	u32 users;		/* records that have it */
	u32 hash;
	struct ops_set *next;	/* in its bucket */
	void *target;		/* the design's own */
	struct ftrace_ops *ops[];
};

/**
 * struct dispatch_design - a way to get from a site to its ops
 * @name: as in dispatch=
 * @prepare: called before a change with the new list of registered ops (a walker
 *	     must be able to serve old and new sites from here on)
 * @target: address a site with this set shall call; may allocate; 0 on failure
 *	    with the reason (-ENOMEM, -ENOSPC, -ERANGE) in @error
 * @release: the set is gone from all records and nobody is inside any more
 */
struct dispatch_design {
	const char *name;
	int (*prepare)(struct ftrace_ops **ops, unsigned int nr);
	unsigned long (*target)(struct ops_set *set, int *error);
	void (*release)(struct ops_set *set);
};

extern const struct dispatch_design dispatch_list;

/* The design in use; const char *name as in results. */
const struct dispatch_design *dispatch_current(void);
