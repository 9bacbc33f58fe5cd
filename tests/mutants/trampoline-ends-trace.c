// SPDX-License-Identifier: MIT
/* Mutant: a backtrace does not get through a trampoline. */
#include "core/stacktrace.h"
#include "patch/code_pool.h"

bool __real_stacktrace_next(struct stacktrace *st, unsigned long *pc);

bool stacktrace_next(struct stacktrace *st, unsigned long *pc)
{
	if (!st->first && code_pool_find(st->frame.pc))
		return false;
	return __real_stacktrace_next(st, pc);
}
