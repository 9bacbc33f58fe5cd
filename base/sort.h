// SPDX-License-Identifier: MIT
/* Sorting in place and binary search, without recursion or allocation. */
#pragma once

#include "base/types.h"

typedef int (*compare_fn)(const void *a, const void *b);

/**
 * sort() - heap sort, in place, O(n log n) always
 * @base: first element
 * @n: number of elements
 * @size: bytes of one, a multiple of sizeof(u32)
 * @compare: negative, zero or positive as in qsort
 */
void sort(void *base, size_t n, size_t size, compare_fn compare);

/* For elements that begin with their key, an unsigned long, as bsearch_le() wants it. */
int compare_keys(const void *a, const void *b);

/**
 * bsearch_le() - last element whose key is <= @key in a sorted array
 * @base: array; the key is the unsigned long at the start of each element
 * @n: number of elements
 * @size: bytes of one
 * @key: what to look for
 *
 * Return: the element, NULL when all keys are greater. Any context.
 */
void *bsearch_le(const void *base, size_t n, size_t size, unsigned long key);
