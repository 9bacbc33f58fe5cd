// SPDX-License-Identifier: MIT
/*
 * Call-site records: where the compiler left a slot, sorted by address.
 *
 * Records are checked once at boot; a bad one is counted, reported, kept out
 * of the table and never patched. What a site calls now is kept beside the
 * record, so that the expected old bytes never come from a caller.
 */
#pragma once

#include "base/types.h"
#include "arch/site.h"

/* How the image's table fared at boot. */
struct site_stats {
	unsigned int in_table;		/* entries the compiler and linker left */
	unsigned int sites;		/* good ones, = nr_sites() */
	unsigned int zero;		/* entries of discarded code */
	unsigned int duplicate;
	unsigned int outside;		/* not in text, or in no sized symbol, or not at its entry */
	unsigned int bad_bytes;		/* not a site */
	unsigned int refused;		/* a shape that cannot be hooked */
	unsigned int unreachable;	/* good, but out of reach of the code pool */
	unsigned int crossing;		/* site crosses the atomic store unit */
};

/**
 * sites_init() - build, check and initialise the table
 * @start: first entry of the linker's table
 * @end: one past the last
 *
 * Once, before interrupts, threads and other CPUs. Return: 0 or -ENOMEM.
 */
int __must_check sites_init(const unsigned long *start, const unsigned long *end);

const struct site_stats *site_stats(void);

/* The table: nr_sites() records in address order. */
unsigned int nr_sites(void);
struct dyn_ftrace *site_at(unsigned int index);

/**
 * site_find() - the record of exactly this address
 * @ip: a site's address
 *
 * Return: the record or NULL. O(log n), any context.
 */
struct dyn_ftrace *site_find(unsigned long ip);

/**
 * site_of_function() - the record of the function at this address
 * @addr: a function's first byte, its site, or between (landing pad)
 *
 * Uses symbol sizes, so that a neighbour's record is never returned.
 * Return: the record or NULL.
 */
struct dyn_ftrace *site_of_function(unsigned long addr);

/* Trampoline the site calls now; 0 = off. */
unsigned long site_target(const struct dyn_ftrace *rec);

/**
 * site_before() - the record of the last site at or below an address
 * @addr: any address
 *
 * Return: the record, NULL when all are above. O(log n), any context.
 */
struct dyn_ftrace *site_before(unsigned long addr);

/**
 * site_queue() - move a site to a target in the open batch
 * @rec: the record
 * @target: trampoline, 0 = off
 *
 * A site that has the target already is verified and written like any other. Cheap when
 * the record follows the one before and gets the same target. The record's target
 * follows when the batch commits, which answers -ERANGE when @target is out of reach.
 * Return: 0, or -ENOMEM as text_poke_queue().
 */
int __must_check site_queue(struct dyn_ftrace *rec, unsigned long target);
