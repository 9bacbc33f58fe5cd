// SPDX-License-Identifier: MIT
/* memset: words once the destination is aligned. */
#include "base/string.h"

__weak void *memset(void *dst, int c, size_t n)
{
	unsigned long word = (u8)c * (~0UL / 255);
	u8 *d = dst;

	while (n && (unsigned long)d % sizeof(long)) {
		*d++ = (u8)c;
		n--;
	}
	for (; n >= sizeof(long); n -= sizeof(long)) {
		*(unsigned long *)d = word;
		d += sizeof(long);
	}
	while (n--)
		*d++ = (u8)c;
	return dst;
}
