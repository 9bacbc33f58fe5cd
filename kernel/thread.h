// SPDX-License-Identifier: MIT
/*
 * Preemptive threads: several per CPU, round robin by the tick, pinned or free,
 * each with its own stack (guard page below), FP state, trace state and C
 * library state.
 */
#pragma once

#include "base/types.h"
#include "base/list.h"
#include "base/host.h"

struct pt_regs;

#define THREAD_STACK_BYTES	(24 * 1024UL)
#define THREAD_ANY_CPU		(~0u)
#define THREAD_FP_BYTES		576	/* the largest of the ports (fxsave 512, q0-q31 512 + 16) */

enum thread_state { THREAD_READY, THREAD_RUNNING, THREAD_SLEEPING, THREAD_BLOCKED, THREAD_DEAD };

struct thread {
	struct trace_state trace;	/* first; offset 0 */
	unsigned long sp;		/* while not running */
	void *fp_state;			/* THREAD_FP_BYTES, 64-byte aligned, in this object's page */
	unsigned long stack_low, stack_high;
	enum thread_state state;
	unsigned int cpu;		/* where it runs or ran last */
	unsigned int pinned;		/* a CPU or THREAD_ANY_CPU */
	bool voluntary;			/* its last switch was its own doing */
	const struct pt_regs *preempted_at; /* else: by this interrupt, NULL when by preempt_enable() */
	u64 wake_at;			/* on board_clock() */
	struct list_head run;		/* in a run queue or a wait list */
	struct list_head all;		/* in the list of all threads */
	struct list_head joiners;
	int (*fn)(void *arg);
	void *arg;
	int result;
	char name[16];
	void *reent;			/* the C library's per-thread state */
};

/**
 * thread_create() - make a thread and let it run
 * @name: up to 15 bytes
 * @fn: its function; the return value goes to the joiner
 * @arg: its argument
 * @cpu: pin it there, or THREAD_ANY_CPU
 *
 * Thread context. Return: the thread, NULL when memory is short. It must be joined.
 */
struct thread *thread_create(const char *name, int (*fn)(void *arg), void *arg, unsigned int cpu);

/* Wait for the end of a thread, free it. Return: what its function returned. */
int thread_join(struct thread *t);

void thread_yield(void);
void thread_sleep_ms(unsigned int ms);	/* at least; by whole ticks */

/* Preemption off: stays on this CPU; nests; interrupts go on. */
void preempt_disable(void);
void preempt_enable(void);

/* BUG unless sleeping is allowed: thread context, interrupts on, no spinlock, preemption on. */
void might_sleep(void);
bool may_sleep(void);

/* kernel/sched.c's own seams */
void sched_init(void);			/* makes the boot context a thread */
void sched_init_cpu(void);		/* on each CPU: its idle thread */
__noreturn void sched_idle(void);
void sched_tick(void);			/* interrupts off */
void sched_irq_exit(const struct pt_regs *regs); /* reschedule at the end of an interrupt when due */
void schedule(void);			/* the current thread's state says what becomes of it */
void thread_wake(struct thread *t);
__noreturn void thread_start(void);	/* first C code of every thread; the port arranges for it */
struct cpu;
bool thread_make_idle(struct cpu *cpu);	/* false: memory is short */
int thread_for_each(int (*fn)(struct thread *t, void *arg), void *arg);	/* all, under the scheduler's lock */
#define TICK_HZ	100
