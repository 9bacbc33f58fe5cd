// SPDX-License-Identifier: MIT
/* strnlen. */
#include "base/string.h"

__weak size_t strnlen(const char *s, size_t n)
{
	size_t len = 0;

	while (len < n && s[len])
		len++;
	return len;
}
