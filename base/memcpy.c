// SPDX-License-Identifier: MIT
/* memcpy on general registers: words where both ends are aligned, bytes elsewhere. */
#include "base/string.h"

__weak void *memcpy(void *restrict dst, const void *restrict src, size_t n)
{
	u8 *d = dst;
	const u8 *s = src;

	if (!(((unsigned long)d | (unsigned long)s) % sizeof(long))) {
		for (; n >= sizeof(long); n -= sizeof(long)) {
			*(unsigned long *)d = *(const unsigned long *)s;
			d += sizeof(long);
			s += sizeof(long);
		}
	}
	while (n--)
		*d++ = *s++;
	return dst;
}
