// SPDX-License-Identifier: MIT
/* memmove: backwards when the destination lies inside the source. */
#include "base/string.h"

__weak void *memmove(void *dst, const void *src, size_t n)
{
	u8 *d = dst;
	const u8 *s = src;

	if (d <= s || d >= s + n) {
		while (n--)
			*d++ = *s++;
	} else {
		while (n--)
			d[n] = s[n];
	}
	return dst;
}
