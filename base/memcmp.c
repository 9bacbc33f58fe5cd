// SPDX-License-Identifier: MIT
/* memcmp, byte by byte: the buffers compared here are instructions and names. */
#include "base/string.h"

__weak int memcmp(const void *a, const void *b, size_t n)
{
	const u8 *p = a, *q = b;

	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}
