// SPDX-License-Identifier: MIT
/* strchr. */
#include "base/string.h"

__weak char *strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}
