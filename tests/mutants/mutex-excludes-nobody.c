// SPDX-License-Identifier: MIT
/* Mutant: a mutex lets everybody in at once. */
#include "kernel/lock.h"

#include "kernel/thread.h"

void mutex_lock(struct mutex *m)
{
	might_sleep();
}

void mutex_unlock(struct mutex *m)
{
}
