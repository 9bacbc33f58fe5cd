// SPDX-License-Identifier: MIT
/* Mutant: adding to a list drops what was in it. */
#include "core/hash.h"

struct ftrace_hash *__real_hash_copy(const struct ftrace_hash *from, u32 more);

struct ftrace_hash *hash_copy(const struct ftrace_hash *from, u32 more)
{
	return __real_hash_copy(NULL, more + (from ? from->nr : 0));
}
