// SPDX-License-Identifier: MIT
/*
 * Our kernel as the runtime's host: base/host.h in terms of kernel/.
 *
 * Nothing here, and nothing that it reaches, has a call site.
 */
#include "base/host.h"

#include "arch/arch.h"
#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/sched.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "linker/sections.h"

static_assert(sizeof(struct mutex) <= sizeof(struct host_mutex), "a host_mutex holds a mutex");
static_assert(_Alignof(struct mutex) <= _Alignof(struct host_mutex), "and is aligned for it");

/* Also those that smp= keeps back: they may be started later. */
unsigned int host_nr_cpus(void)
{
	return machine.nr_cpus;
}

unsigned int host_nr_online(void)
{
	return smp_online();
}

bool host_smp_started(void)
{
	return smp_started;
}

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind)
{
	smp_on_each_cpu(fn, arg, kind);
}

bool host_may_sleep(void)
{
	return may_sleep();
}

/* A zeroed mutex is valid, and so is a zeroed host_mutex. */
static struct mutex *mutex_of(struct host_mutex *m)
{
	return (struct mutex *)m;
}

void host_mutex_lock(struct host_mutex *m)
{
	mutex_lock(mutex_of(m));
}

void host_mutex_unlock(struct host_mutex *m)
{
	mutex_unlock(mutex_of(m));
}

bool host_mutex_is_mine(const struct host_mutex *m)
{
	return mutex_is_mine((const struct mutex *)m);
}

/* A spinlock would do for our allocator, but not for every host's: ask for what base/host.h does. */
void *host_alloc(size_t bytes)
{
	might_sleep();
	return kalloc(bytes);
}

void host_free(void *p)
{
	might_sleep();
	kfree(p);
}

unsigned long host_text_open(void)
{
	return mmu_text_open();
}

void host_text_close(unsigned long cookie)
{
	mmu_text_close(cookie);
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = __code_pool_end - __code_pool_start;
	return (unsigned long)__code_pool_start;
}

struct visit {
	int (*fn)(const struct host_context *ctx, void *arg);
	void *arg;
};

/*
 * What lies below are frames of the interrupt and the scheduler. They leave gaps,
 * in which words of calls that ended long ago would be taken for live ones.
 */
static void look_from_interrupt(const struct thread *t, struct host_context *ctx)
{
	ctx->pc = regs_pc(t->preempted_at);
	ctx->regs = t->preempted_at;
	ctx->stack_low = regs_sp(t->preempted_at);
}

/* Under the scheduler's lock: nobody is created, freed or switched meanwhile. */
static int visit_thread(struct thread *t, void *arg)
{
	struct visit *visit = arg;
	struct host_context ctx = { .trace = &t->trace, .voluntary = t->voluntary };

	if (thread_on_cpu(t))
		return 0;
	ctx.stack_high = t->stack_high;
	if (t->preempted_at) {
		look_from_interrupt(t, &ctx);
	} else {
		ctx.pc = port_thread_pc(t);
		ctx.stack_low = port_thread_sp(t);
	}
	return visit->fn(&ctx, visit->arg);
}

int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg)
{
	struct visit visit = { .fn = fn, .arg = arg };

	return thread_for_each(visit_thread, &visit);
}

/*
 * On an emergency stack it is the thread's stack that a backtrace is about. A
 * stack before there are threads is trusted to the end of its page.
 */
void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	unsigned long sp = (unsigned long)__builtin_frame_address(0);
	const struct thread *t = this_cpu()->current;

	if (t) {
		*low = t->stack_low;
		*high = t->stack_high;
		return;
	}
	*low = ALIGN_DOWN(sp, PAGE_SIZE);
	*high = *low + PAGE_SIZE;
}

bool host_is_watching(void)
{
	return this_cpu()->watching;
}

struct host_place host_trace_state_place(void)
{
	return PORT_CURRENT_PLACE;
}

struct host_place host_watching_place(void)
{
	return PORT_CPU_PLACE(watching);
}

struct host_counters host_counters(void)
{
	return (struct host_counters){
		.place = PORT_CPU_PLACE(counters),
		.first = (unsigned long)cpus[0].counters,
		.stride = sizeof(struct cpu),
		.nr = ARRAY_SIZE(cpus[0].counters),
	};
}

void host_relax(void)
{
	if (smp_started)
		thread_sleep_ms(1);
}

u64 host_clock(void)
{
	return board_clock();
}

u64 host_clock_hz(void)
{
	return board_clock_hz();
}

void host_write(const char *text, size_t n)
{
	console_write(text, n);
}
