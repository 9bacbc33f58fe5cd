// SPDX-License-Identifier: MIT
/*
 * Spinlocks and sleeping mutexes.
 *
 * A mutex is handed over: unlocking with waiters makes the first of them the
 * owner and wakes it, so a waiter is woken exactly once and only as owner.
 * Lock order: mutex->lock, then the scheduler's lock.
 */
#include "kernel/lock.h"

#include "base/atomic.h"
#include "base/bug.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

/*
 * Before other CPUs run nobody contends, and the MMU may still be off, where
 * some processors do no atomic accesses: plain stores then.
 */
static bool spin_try(struct spinlock *lock, unsigned int me)
{
	if (unlikely(!smp_started)) {
		BUG_ON(lock->locked);
		lock->locked = me;
		return true;
	}
	return atomic_cmpxchg(&lock->locked, 0u, me);
}

unsigned long spin_lock(struct spinlock *lock)
{
	unsigned long flags = irq_save();
	struct cpu *cpu = this_cpu();
	unsigned int me = cpu->id + 1;

	BUG_ON(READ_ONCE(lock->locked) == me);
	cpu->locks_held++;
	while (!spin_try(lock, me))
		while (READ_ONCE(lock->locked))
			cpu_relax();
	return flags;
}

void spin_unlock(struct spinlock *lock, unsigned long flags)
{
	struct cpu *cpu = this_cpu();

	BUG_ON(READ_ONCE(lock->locked) != cpu->id + 1);
	smp_store_release(&lock->locked, 0u);
	cpu->locks_held--;
	irq_restore(flags);
}

/* A zeroed mutex is a valid one: its list is made when somebody first waits. */
static void mutex_enqueue(struct mutex *m, struct thread *self)
{
	if (!m->waiters.next)
		list_init(&m->waiters);
	list_add_tail(&self->run, &m->waiters);
	self->state = THREAD_BLOCKED;
}

void mutex_lock(struct mutex *m)
{
	struct thread *self = current();
	unsigned long flags;

	might_sleep();
	flags = spin_lock(&m->lock);
	BUG_ON(m->owner == self);
	if (!m->owner)
		m->owner = self;
	else
		mutex_enqueue(m, self);
	spin_unlock(&m->lock, flags);

	/* A wake-up between the test and schedule() leaves us running: it only yields then. */
	while (READ_ONCE(m->owner) != self)
		schedule();
}

void mutex_unlock(struct mutex *m)
{
	unsigned long flags = spin_lock(&m->lock);
	struct thread *next = NULL;

	BUG_ON(m->owner != current());
	if (m->waiters.next && !list_empty(&m->waiters)) {
		next = list_entry(m->waiters.next, struct thread, run);
		list_del(&next->run);
	}
	WRITE_ONCE(m->owner, next);
	if (next)
		thread_wake(next);
	spin_unlock(&m->lock, flags);
}

bool mutex_is_mine(const struct mutex *m)
{
	return READ_ONCE(m->owner) == current();
}
