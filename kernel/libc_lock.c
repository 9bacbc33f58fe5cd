// SPDX-License-Identifier: MIT
/*
 * newlib's locks as recursive sleeping mutexes.
 *
 * A build with retargetable locking names its global locks; where it asks for a
 * new one (a FILE of a thread's own state) it gets one that does nothing, since
 * no FILE is shared between threads.
 */
#include "kernel/libc.h"

#include <malloc.h>
#include <reent.h>
#include <sys/lock.h>

#include "kernel/lock.h"

struct recursive_lock {
	struct mutex mutex;
	unsigned int depth;	/* beyond the first, the owner's */
};

static void recursive_lock(struct recursive_lock *lock)
{
	if (mutex_is_mine(&lock->mutex))
		lock->depth++;
	else
		mutex_lock(&lock->mutex);
}

static void recursive_unlock(struct recursive_lock *lock)
{
	if (lock->depth)
		lock->depth--;
	else
		mutex_unlock(&lock->mutex);
}

static struct recursive_lock malloc_lock;

void __malloc_lock(struct _reent *reent);
void __malloc_unlock(struct _reent *reent);

void __malloc_lock(struct _reent *reent)
{
	recursive_lock(&malloc_lock);
}

void __malloc_unlock(struct _reent *reent)
{
	recursive_unlock(&malloc_lock);
}

#ifdef _RETARGETABLE_LOCKING

struct __lock {
	struct recursive_lock lock;
};

#define LIBRARY_LOCK(name) \
	extern struct __lock __lock___##name; \
	struct __lock __lock___##name

LIBRARY_LOCK(sinit_recursive_mutex);
LIBRARY_LOCK(sfp_recursive_mutex);
LIBRARY_LOCK(atexit_recursive_mutex);
LIBRARY_LOCK(malloc_recursive_mutex);
LIBRARY_LOCK(env_recursive_mutex);
LIBRARY_LOCK(at_quick_exit_mutex);
LIBRARY_LOCK(tz_mutex);
LIBRARY_LOCK(dd_hash_mutex);
LIBRARY_LOCK(arc4random_mutex);

void __retarget_lock_init(_LOCK_T *lock)
{
	*lock = NULL;
}

void __retarget_lock_init_recursive(_LOCK_T *lock)
{
	*lock = NULL;
}

void __retarget_lock_close(_LOCK_T lock)
{
}

void __retarget_lock_close_recursive(_LOCK_T lock)
{
}

void __retarget_lock_acquire_recursive(_LOCK_T lock)
{
	if (lock)
		recursive_lock(&lock->lock);
}

void __retarget_lock_release_recursive(_LOCK_T lock)
{
	if (lock)
		recursive_unlock(&lock->lock);
}

void __retarget_lock_acquire(_LOCK_T lock)
{
	__retarget_lock_acquire_recursive(lock);
}

void __retarget_lock_release(_LOCK_T lock)
{
	__retarget_lock_release_recursive(lock);
}

#endif
