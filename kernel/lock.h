// SPDX-License-Identifier: MIT
/* Spinlocks (interrupts off while held) and sleeping mutexes. */
#pragma once

#include "base/types.h"
#include "base/list.h"

struct spinlock {
	unsigned int locked;
};

/* Take with interrupts off; the flags go to unlock. Any context but NMI. */
unsigned long spin_lock(struct spinlock *lock);
void spin_unlock(struct spinlock *lock, unsigned long flags);

struct mutex {
	struct thread *owner;
	struct spinlock lock;
	struct list_head waiters;
};

#define MUTEX_INIT(name) { .waiters = LIST_HEAD_INIT((name).waiters) }
#define DEFINE_MUTEX(name) struct mutex name = MUTEX_INIT(name)

/* A zeroed one is valid too. Thread context, might_sleep(). Not recursive: BUG when the owner locks again. */
void mutex_lock(struct mutex *m);
void mutex_unlock(struct mutex *m);
bool mutex_is_mine(const struct mutex *m);
