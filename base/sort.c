// SPDX-License-Identifier: MIT
/* Heap sort and binary search: bounded time, no recursion, no memory. */
#include "base/sort.h"

static void swap_words(u32 *a, u32 *b, size_t size)
{
	for (size_t i = 0; i < size / sizeof(u32); i++) {
		u32 t = a[i];

		a[i] = b[i];
		b[i] = t;
	}
}

/* Let element @root of the heap base[0..n) sink to its place. */
static void sift_down(char *base, size_t root, size_t n, size_t size, compare_fn compare)
{
	size_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && compare(base + child * size, base + (child + 1) * size) < 0)
			child++;
		if (compare(base + root * size, base + child * size) >= 0)
			return;
		swap_words((u32 *)(void *)(base + root * size),
			   (u32 *)(void *)(base + child * size), size);
		root = child;
	}
}

void sort(void *base, size_t n, size_t size, compare_fn compare)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(base, i, n, size, compare);
	for (size_t last = n; last-- > 1;) {
		swap_words(base, (u32 *)(void *)((char *)base + last * size), size);
		sift_down(base, 0, last, size, compare);
	}
}

int compare_keys(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

void *bsearch_le(const void *base, size_t n, size_t size, unsigned long key)
{
	const char *low = base;
	const char *found = NULL;

	while (n) {
		const char *middle = low + n / 2 * size;

		if (*(const unsigned long *)(const void *)middle <= key) {
			found = middle;
			low = middle + size;
			n -= n / 2 + 1;
		} else {
			n /= 2;
		}
	}
	return (void *)(unsigned long)found;
}
