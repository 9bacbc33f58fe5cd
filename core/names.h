// SPDX-License-Identifier: MIT
/*
 * Traceable functions by name: an index of the records sorted by name, made on
 * first use, so that an exact name costs a binary search and a glob one scan.
 *
 * Under ftrace_mutex.
 */
#pragma once

#include "base/types.h"

/* One entry; several functions may share a name. */
struct site_name {
	const char *name;
	unsigned long ip;
};

/**
 * names_init() - make the index if there is none
 *
 * Thread context. Return: 0 or -ENOMEM.
 */
int __must_check names_init(void);

/**
 * names_get() - the whole index
 * @nr: number of entries, out
 */
const struct site_name *names_get(u32 *nr);

/**
 * names_find() - the entries of exactly this name
 * @name: the name
 * @nr: number of entries, out; 0 when there is none
 */
const struct site_name *names_find(const char *name, u32 *nr);
