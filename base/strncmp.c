// SPDX-License-Identifier: MIT
/* strncmp. */
#include "base/string.h"

__weak int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (u8)*a - (u8)*b;
	return 0;
}
