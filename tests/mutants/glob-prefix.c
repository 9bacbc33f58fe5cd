// SPDX-License-Identifier: MIT
/* Mutant: a name matches when its beginning does. */
#include "core/glob.h"

bool __real_glob_match(const char *pattern, const char *name);

bool glob_match(const char *pattern, const char *name)
{
	char beginning[64];
	unsigned int i;

	for (i = 0; i < sizeof(beginning) - 1 && name[i]; i++) {
		beginning[i] = name[i];
		beginning[i + 1] = 0;
		if (__real_glob_match(pattern, beginning))
			return true;
	}
	return false;
}
