// SPDX-License-Identifier: MIT
/* Mutexes and spinlocks keep a counter exact; where sleeping is not allowed, we know. */
#include "tests/test.h"

#include "base/host.h"
#include "kernel/lock.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define INCREMENTS	300
#define THREADS		6

static DEFINE_MUTEX(mutex);
static struct spinlock spinlock;
static unsigned long counter;
static unsigned int inside, overlaps;

/* Read and written back with room between: exact only if nobody else is here. */
static void increment(void)
{
	unsigned long old = READ_ONCE(counter);

	overlaps += inside++ != 0;
	for (unsigned int i = 0; i < 20; i++)
		cpu_relax();
	WRITE_ONCE(counter, old + 1);
	inside--;
}

static int with_mutex(void *arg)
{
	for (unsigned int i = 0; i < INCREMENTS; i++) {
		mutex_lock(&mutex);
		increment();
		if (i % 64 == 0)
			thread_yield();		/* others find it taken */
		mutex_unlock(&mutex);
	}
	return 0;
}

static int with_spinlock(void *arg)
{
	for (unsigned int i = 0; i < INCREMENTS; i++) {
		unsigned long flags = spin_lock(&spinlock);

		increment();
		spin_unlock(&spinlock, flags);
	}
	return 0;
}

static void contend(int (*fn)(void *arg), const char *what)
{
	struct thread *threads[THREADS];

	counter = 0;
	overlaps = 0;
	for (unsigned int i = 0; i < THREADS; i++)
		threads[i] = thread_create("contender", fn, NULL,
					   i < smp_online() ? i : THREAD_ANY_CPU);
	for (unsigned int i = 0; i < THREADS; i++)
		thread_join(threads[i]);
	report(counter == THREADS * INCREMENTS && overlaps == 0,
	       "%s: %u threads on %u CPUs counted %lu", what, THREADS, smp_online(), counter);
}

DEFINE_TEST(mutex_contended)
{
	contend(with_mutex, "mutex");
	report(!mutex.owner && !mutex_is_mine(&mutex), "nobody owns it in the end");
}

DEFINE_TEST(spinlock_contended)
{
	contend(with_spinlock, "spinlock");
	report(!spinlock.locked && this_cpu()->locks_held == 0, "nobody holds it in the end");
}

static unsigned int order[3], nr_order;

static int enter_in_turn(void *arg)
{
	mutex_lock(&mutex);
	order[nr_order++] = *(unsigned int *)arg;
	mutex_unlock(&mutex);
	return 0;
}

DEFINE_TEST(mutex_order)
{
	unsigned int ids[3] = { 0, 1, 2 };
	struct thread *threads[3];

	mutex_lock(&mutex);
	report(mutex_is_mine(&mutex), "the owner knows that it is");
	for (unsigned int i = 0; i < 3; i++) {
		threads[i] = thread_create("waiter", enter_in_turn, &ids[i], THREAD_ANY_CPU);
		thread_sleep_ms(50);
	}
	report(nr_order == 0, "waiters wait");
	mutex_unlock(&mutex);
	for (unsigned int i = 0; i < 3; i++)
		thread_join(threads[i]);
	report(nr_order == 3 && order[0] == 0 && order[1] == 1 && order[2] == 2,
	       "and enter in the order in which they came");
}

static void ask_may_sleep(void *arg)
{
	*(bool *)arg = may_sleep() || host_may_sleep();
}

DEFINE_TEST(may_sleep)
{
	bool may = true;
	unsigned long flags;

	report(may_sleep() && host_may_sleep(), "in a thread");
	port_soft_irq(ask_may_sleep, &may);
	report(!may, "not in an interrupt");
	flags = irq_save();
	report(!may_sleep(), "not with interrupts off");
	irq_restore(flags);
	flags = spin_lock(&spinlock);
	may = may_sleep();
	spin_unlock(&spinlock, flags);
	report(!may, "not with a spinlock");
	preempt_disable();
	may = may_sleep();
	preempt_enable();
	report(!may, "not with preemption off");
	report(may_sleep(), "and in a thread again");
}

/* The runtime's mutexes are ours, valid when zeroed. */
DEFINE_TEST(host_mutex)
{
	static struct host_mutex m;

	host_mutex_lock(&m);
	report(host_mutex_is_mine(&m), "taken");
	host_mutex_unlock(&m);
	report(!host_mutex_is_mine(&m), "given back");
}
