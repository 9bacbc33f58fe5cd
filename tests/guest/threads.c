// SPDX-License-Identifier: MIT
/* Threads: made, ended, pinned, put to sleep, and taken off the CPU by the tick. */
#include "tests/test.h"

#include "base/atomic.h"
#include "base/host.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#define MANY		24
#define STORM		100
#define TURNS		6
#define HELD_TICKS	3
#define BUSY_SECONDS	20	/* how long a preemption may be waited for */

static int add_one(void *arg)
{
	return *(int *)arg + 1;
}

static int sleep_then_seven(void *arg)
{
	thread_sleep_ms(30);
	return 7;
}

DEFINE_TEST(thread_join)
{
	int in = 41;
	struct thread *t = thread_create("adder", add_one, &in, THREAD_ANY_CPU);

	report(t && thread_join(t) == 42, "the result goes to the joiner");
	t = thread_create("sleeper", sleep_then_seven, NULL, THREAD_ANY_CPU);
	report(t && thread_join(t) == 7, "joined before its end");
	t = thread_create("adder", add_one, &in, THREAD_ANY_CPU);
	thread_sleep_ms(100);
	report(t && thread_join(t) == 42, "joined long after its end");
}

static int on_own_cpu(void *arg)
{
	unsigned int cpu = *(unsigned int *)arg;
	int moved = 0;

	for (unsigned int i = 0; i < 50; i++) {
		moved += cpu_id() != cpu;
		thread_yield();
		if (i % 10 == 0)
			thread_sleep_ms(1);
	}
	return moved;
}

DEFINE_TEST(thread_pin)
{
	struct thread *threads[2 * MAX_CPUS];
	unsigned int ids[2 * MAX_CPUS], n = 0;
	int moved = 0;
	struct cpu *cpu;

	for_each_online_cpu(cpu) {
		for (unsigned int i = 0; i < 2; i++) {
			ids[n] = cpu->id;
			threads[n] = thread_create("pinned", on_own_cpu, &ids[n], cpu->id);
			n++;
		}
	}
	for (unsigned int i = 0; i < n; i++)
		moved += thread_join(threads[i]);
	report(moved == 0, "%u pinned threads, two on each CPU, stayed there", n);
}

DEFINE_TEST(thread_sleep)
{
	static const unsigned int sleeps[] = { 1, 10, 35, 120 };

	for (unsigned int i = 0; i < ARRAY_SIZE(sleeps); i++) {
		u64 start = host_clock(), ms;

		thread_sleep_ms(sleeps[i]);
		ms = (host_clock() - start) * 1000 / host_clock_hz();
		/* Ticks of an emulated timer come late, then faster: one tick of tolerance. */
		report(ms + 1000 / TICK_HZ >= sleeps[i], "%u ms: slept %lu", sleeps[i],
		       (unsigned long)ms);
	}
}

static bool timed_out(u64 start)
{
	return host_clock() - start > BUSY_SECONDS * host_clock_hz();
}

static unsigned int turns[2];

/* Never gives way by itself; ends when it has seen the other go on TURNS times. */
static int take_turns(void *arg)
{
	unsigned int me = *(unsigned int *)arg, seen = 0, changes = 0;
	u64 start = host_clock();

	while (changes < TURNS && !timed_out(start)) {
		turns[me]++;
		if (READ_ONCE(turns[!me]) != seen) {
			seen = READ_ONCE(turns[!me]);
			changes++;
		}
	}
	turns[me] += 1000000;	/* the other sees one more change, and enough of us */
	return changes;
}

DEFINE_TEST(thread_preemption)
{
	unsigned int ids[2] = { 0, 1 };
	unsigned int cpu = smp_online() - 1;
	struct thread *a = thread_create("busy a", take_turns, &ids[0], cpu);
	struct thread *b = thread_create("busy b", take_turns, &ids[1], cpu);
	int changes_a = thread_join(a), changes_b = thread_join(b);

	report(changes_a >= 1 && changes_b >= 1 && changes_a + changes_b >= TURNS,
	       "two busy threads on CPU %u took turns (%d, %d)", cpu, changes_a, changes_b);
}

static unsigned int while_off;

static int count_while_off(void *arg)
{
	atomic_inc(&while_off);
	return 0;
}

static int hold_cpu(void *arg)
{
	unsigned long ticks;
	struct thread *t;
	int ran;

	preempt_disable();
	preempt_disable();
	preempt_enable();
	t = thread_create("waiter", count_while_off, NULL, cpu_id());
	ticks = READ_ONCE(this_cpu()->ticks);
	while (READ_ONCE(this_cpu()->ticks) < ticks + HELD_TICKS)
		barrier();	/* no cpu_relax(): an emulator that counts instructions is slow at it */
	ran = READ_ONCE(while_off);
	preempt_enable();
	thread_join(t);
	return ran;
}

DEFINE_TEST(thread_preempt_off)
{
	while_off = 0;
	report(thread_join(thread_create("holder", hold_cpu, NULL, 0)) == 0,
	       "nobody else runs here while preemption is off, through %u ticks", HELD_TICKS);
	report(while_off == 1, "and somebody does afterwards");
}

static int count_up(void *arg)
{
	for (unsigned int i = 0; i < 20; i++) {
		atomic_inc((unsigned int *)arg);
		thread_yield();
	}
	return 1;
}

DEFINE_TEST(thread_many)
{
	struct thread *threads[MANY];
	unsigned int counter = 0;
	int ended = 0;

	for (unsigned int i = 0; i < MANY; i++)
		threads[i] = thread_create("many", count_up, &counter, THREAD_ANY_CPU);
	for (unsigned int i = 0; i < MANY; i++)
		ended += thread_join(threads[i]);
	report(ended == MANY && counter == MANY * 20, "%u threads at once, each ran to its end", MANY);
}

DEFINE_TEST(thread_storm)
{
	size_t before = 0;
	int in = 0, sum = 0;

	for (unsigned int i = 0; i < STORM; i++) {
		if (i == 1)
			before = mm_free_bytes();
		sum += thread_join(thread_create("storm", add_one, &in, THREAD_ANY_CPU));
	}
	report(sum == STORM, "%u threads made and joined", STORM);
	report(mm_free_bytes() == before, "none of them kept memory");
}

static int find_thread(struct thread *t, void *arg)
{
	return t == arg;
}

DEFINE_TEST(thread_list)
{
	struct thread *t = thread_create("listed", sleep_then_seven, NULL, THREAD_ANY_CPU);

	report(thread_for_each(find_thread, t) == 1, "a thread is found among all");
	thread_join(t);
	report(thread_for_each(find_thread, t) == 0, "and not after its end");
	report(thread_for_each(find_thread, current()) == 1, "the boot context is one too");
}
