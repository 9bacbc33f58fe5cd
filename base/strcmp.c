// SPDX-License-Identifier: MIT
/* strcmp. */
#include "base/string.h"

__weak int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (u8)*a - (u8)*b;
}
