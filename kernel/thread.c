// SPDX-License-Identifier: MIT
/*
 * Making and ending threads.
 *
 * One block of pages a thread, kept for the next one when it ends, since its
 * guard page stays out of the page tables:
 *
 *   page 0     struct thread, FP state, the C library's state
 *   page 1     guard, not mapped
 *   page 2..7  stack
 */
#include "kernel/thread.h"

#include "base/bug.h"
#include "base/print.h"
#include "base/string.h"
#include "core/fgraph.h"
#include "kernel/libc.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/sched.h"

#define BLOCK_ORDER	3
#define BLOCK_BYTES	(PAGE_SIZE << BLOCK_ORDER)
#define FP_OFFSET	ALIGN_UP(sizeof(struct thread), 64)
#define LIBC_OFFSET	ALIGN_UP(FP_OFFSET + THREAD_FP_BYTES, 64)

static_assert(BLOCK_BYTES == 2 * PAGE_SIZE + THREAD_STACK_BYTES, "the picture above");
static_assert(LIBC_OFFSET + LIBC_STATE_BYTES <= PAGE_SIZE, "all of a thread's state fits one page");

static struct spinlock spare_lock;
static LIST_HEAD(spare);

static struct thread *take_spare(void)
{
	unsigned long flags = spin_lock(&spare_lock);
	struct thread *t = NULL;

	if (!list_empty(&spare)) {
		t = list_entry(spare.next, struct thread, all);
		list_del(&t->all);
	}
	spin_unlock(&spare_lock, flags);
	return t;
}

static void give_spare(struct thread *t)
{
	unsigned long flags = spin_lock(&spare_lock);

	list_add(&t->all, &spare);
	spin_unlock(&spare_lock, flags);
}

static struct thread *thread_alloc(const char *name, int (*fn)(void *arg), void *arg)
{
	struct thread *t = take_spare();

	if (!t) {
		t = page_alloc(BLOCK_ORDER);
		if (!t)
			return NULL;
		mmu_unmap_guard((unsigned long)t + PAGE_SIZE);
	}
	memset(t, 0, PAGE_SIZE);
	t->fp_state = (char *)t + FP_OFFSET;
	t->stack_high = (unsigned long)t + BLOCK_BYTES;
	t->stack_low = t->stack_high - THREAD_STACK_BYTES;
	t->pinned = THREAD_ANY_CPU;
	/* Who looks through it for addresses (quiescence) shall not find what another thread left. */
	memset((void *)t->stack_low, 0, THREAD_STACK_BYTES);
	t->fn = fn;
	t->arg = arg;
	list_init(&t->run);
	list_init(&t->all);
	list_init(&t->joiners);
	format(t->name, sizeof(t->name), "%s", name);
	libc_thread_init(t, (char *)t + LIBC_OFFSET);
	port_thread_init(t);
	fgraph_thread_create(&t->trace);
	return t;
}

struct thread *thread_create(const char *name, int (*fn)(void *arg), void *arg, unsigned int cpu)
{
	struct thread *t;

	BUG_ON(cpu != THREAD_ANY_CPU && (cpu >= nr_cpus || !cpus[cpu].online));
	t = thread_alloc(name, fn, arg);
	if (!t)
		return NULL;
	t->pinned = cpu;
	t->cpu = cpu == THREAD_ANY_CPU ? cpu_id() : cpu;
	sched_add(t);
	return t;
}

static int idle_thread(void *arg)
{
	sched_idle();
}

/* It never returns: a user that hooked it would have a frame outstanding for good. */
NOGRAPH_FUNCTION(idle_thread);

bool thread_make_idle(struct cpu *cpu)
{
	char name[16];
	struct thread *t;

	format(name, sizeof(name), "idle/%u", cpu->id);
	t = thread_alloc(name, idle_thread, NULL);
	if (!t)
		return false;
	t->pinned = cpu->id;
	cpu->stack_top = t->stack_high;
	sched_add_idle(cpu, t);
	return true;
}

int thread_join(struct thread *t)
{
	int result;

	BUG_ON(t == current());
	sched_wait_dead(t);
	result = t->result;
	libc_thread_free(t);
	fgraph_thread_free(&t->trace);
	give_spare(t);
	return result;
}

/* It was not called: nothing is where its return address would be. */
NOGRAPH_FUNCTION(thread_start);

__noreturn void thread_start(void)
{
	struct thread *self = current();

	sched_first_run();
	self->result = self->fn(self->arg);
	libc_thread_end();
	sched_exit();
}
