// SPDX-License-Identifier: MIT
/*
 * Names and sizes of the image's functions, from a table made at link time.
 *
 * A symbol covers [addr, addr + size) and nothing else: the gap behind a sized
 * function, where an overridden weak body may lie, belongs to nobody.
 */
#pragma once

#include "base/types.h"

struct kallsym {
	unsigned long addr;
	unsigned long size;	/* bytes */
	const char *name;
};

/**
 * kallsyms_lookup() - which function holds an address
 * @addr: any address
 * @sym: filled on success
 *
 * Return: true when a sized function symbol covers @addr. Any context.
 */
bool kallsyms_lookup(unsigned long addr, struct kallsym *sym);

/**
 * kallsyms_address() - address of a function by exact name
 * @name: the name
 *
 * Return: its address, 0 when there is none; the lowest when several share it.
 * O(n) on the number of symbols. Any context.
 */
unsigned long kallsyms_address(const char *name);

/**
 * kallsyms_get() - the i-th symbol in address order
 * @i: 0 .. kallsyms_count() - 1
 * @sym: filled
 */
void kallsyms_get(unsigned int i, struct kallsym *sym);
unsigned int kallsyms_count(void);

/**
 * kallsyms_format() - "name+0xoff/0xsize", or the bare number when unknown
 * @buf: destination
 * @size: its bytes
 * @addr: the address
 *
 * Return: as format().
 */
int kallsyms_format(char *buf, size_t size, unsigned long addr);
