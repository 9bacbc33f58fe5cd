// SPDX-License-Identifier: MIT
/* What kernel/ itself asks of the scheduler; the public part is kernel/thread.h. */
#pragma once

#include "kernel/thread.h"

struct cpu;

/* Put a new thread on the list of all threads and let it run. */
void sched_add(struct thread *t);

/* Make a thread the idle thread of a CPU: it runs there when nothing else does. */
void sched_add_idle(struct cpu *cpu, struct thread *t);

/* First thing on a new thread's stack: finishes the switch, enables interrupts. */
void sched_first_run(void);

/* Ends the current thread and wakes who joins it. */
__noreturn void sched_exit(void);

/* Sleep until a thread has ended and its stack is out of use. */
void sched_wait_dead(struct thread *t);

/*
 * Block the current thread until thread_wake(), unless @ready (called under the
 * scheduler's lock) says true; who makes it true does so before it wakes.
 */
void thread_block_unless(bool (*ready)(void));

/* Is it a CPU's current thread? Stable only under the scheduler's lock. */
bool thread_on_cpu(const struct thread *t);
