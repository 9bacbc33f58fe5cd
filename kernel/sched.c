// SPDX-License-Identifier: MIT
/*
 * The scheduler: one run queue for all CPUs under one lock, round robin.
 *
 * The lock is held across switch_to() and released on the next thread's stack,
 * so no CPU can pick a thread whose registers are not saved yet, and a dead
 * thread's joiner goes on only when its stack is out of use. A thread that
 * waits changes its state first and then switches; who wakes it in between
 * finds it still on a CPU and just makes it running again.
 */
#include "kernel/sched.h"

#include "arch/fgraph.h"
#include "base/bug.h"
#include "base/string.h"
#include "kernel/board.h"
#include "kernel/libc.h"
#include "kernel/lock.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "linker/sections.h"

static_assert(offsetof(struct thread, trace) == 0, "host_inline.h finds the trace state there");

static struct spinlock sched_lock;
static LIST_HEAD(run_queue);
static LIST_HEAD(sleepers);
static LIST_HEAD(all_threads);

static struct thread boot_thread;
static u8 boot_fp_state[THREAD_FP_BYTES] __aligned(64);

static bool on_cpu(const struct thread *t)
{
	return cpus[t->cpu].current == t;
}

static void resched_cpu(struct cpu *cpu)
{
	cpu->need_resched = true;
	if (cpu != this_cpu() && smp_started)
		board_send_ipi(cpu->id, IPI_RESCHEDULE);
}

static bool is_idle(const struct cpu *cpu)
{
	return cpu->online && cpu->current == cpu->idle && !cpu->need_resched;
}

/* Wake an idle CPU for a thread that became ready; when all are busy a tick will do. */
static void kick(const struct thread *t)
{
	struct cpu *cpu;

	if (is_idle(&cpus[t->cpu]) && (t->pinned == THREAD_ANY_CPU || t->pinned == t->cpu))
		return resched_cpu(&cpus[t->cpu]);
	for_each_online_cpu(cpu) {
		if (is_idle(cpu) && (t->pinned == THREAD_ANY_CPU || t->pinned == cpu->id))
			return resched_cpu(cpu);
	}
}

static void make_ready(struct thread *t)
{
	t->state = THREAD_READY;
	list_add_tail(&t->run, &run_queue);
	kick(t);
}

static struct thread *pick(struct cpu *cpu)
{
	struct thread *t;

	list_for_each_entry(t, &run_queue, run) {
		if (t->pinned == THREAD_ANY_CPU || t->pinned == cpu->id) {
			list_del(&t->run);
			return t;
		}
	}
	return cpu->idle;
}

/* sched_lock held once, nothing else. Returns when somebody switches back. */
static void switch_locked(bool voluntary, const struct pt_regs *preempted_at)
{
	struct cpu *cpu = this_cpu();
	struct thread *prev = cpu->current, *next;

	BUG_ON(cpu->preempt_off || cpu->irq_depth || cpu->locks_held != 1);
	cpu->need_resched = false;
	prev->voluntary = voluntary;
	prev->preempted_at = preempted_at;
	if (prev->state == THREAD_RUNNING) {
		prev->state = THREAD_READY;
		if (prev != cpu->idle)
			list_add_tail(&prev->run, &run_queue);
	}
	next = pick(cpu);
	next->state = THREAD_RUNNING;
	next->cpu = cpu->id;
	if (next == prev)
		return;
	cpu->switches++;
	cpu->current = next;
	set_current(next);
	libc_switch(next);
	switch_to(prev, next);
}

void schedule(void)
{
	unsigned long flags = spin_lock(&sched_lock);

	switch_locked(true, NULL);
	spin_unlock(&sched_lock, flags);
}

void thread_yield(void)
{
	might_sleep();
	schedule();
}

/* Interrupts off. What follows an interrupt, or the end of a stretch without preemption. */
void sched_irq_exit(const struct pt_regs *regs)
{
	struct cpu *cpu = this_cpu();
	unsigned long flags;

	if (!cpu->need_resched || cpu->irq_depth || cpu->preempt_off || cpu->locks_held)
		return;
	/* The idle loop looks by itself; it has to leave its unwatched stretch first. */
	if (!smp_started || cpu->current == cpu->idle)
		return;
	flags = spin_lock(&sched_lock);
	switch_locked(false, regs);
	spin_unlock(&sched_lock, flags);
}

/* Interrupts off while the counter changes: between finding it and using it we could move. */
void preempt_disable(void)
{
	unsigned long flags = irq_save();

	this_cpu()->preempt_off++;
	irq_restore(flags);
}

void preempt_enable(void)
{
	bool enabled = irqs_enabled();
	unsigned long flags = irq_save();

	BUG_ON(!this_cpu()->preempt_off);
	this_cpu()->preempt_off--;
	if (enabled)
		sched_irq_exit(NULL);
	irq_restore(flags);
}

bool may_sleep(void)
{
	struct cpu *cpu;
	unsigned long flags;
	bool may;

	if (!smp_started)
		return true;	/* nobody to wait for */
	if (!irqs_enabled())
		return false;
	flags = irq_save();
	cpu = this_cpu();
	may = !cpu->irq_depth && !cpu->locks_held && !cpu->preempt_off && cpu->current != cpu->idle;
	irq_restore(flags);
	return may;
}

void might_sleep(void)
{
	BUG_ON(!may_sleep());
}

static void wake_locked(struct thread *t)
{
	if (t->state != THREAD_SLEEPING && t->state != THREAD_BLOCKED)
		return;
	if (t->state == THREAD_SLEEPING)
		list_del(&t->run);
	if (on_cpu(t))
		t->state = THREAD_RUNNING;
	else
		make_ready(t);
}

void thread_wake(struct thread *t)
{
	unsigned long flags = spin_lock(&sched_lock);

	wake_locked(t);
	spin_unlock(&sched_lock, flags);
}

void thread_sleep_ms(unsigned int ms)
{
	struct thread *self = current();
	unsigned long flags;

	might_sleep();
	flags = spin_lock(&sched_lock);
	/* By the clock: ticks that were late come close together. */
	self->wake_at = board_clock() + ms * board_clock_hz() / 1000u;
	self->state = THREAD_SLEEPING;
	list_add_tail(&self->run, &sleepers);
	switch_locked(true, NULL);
	spin_unlock(&sched_lock, flags);
}

static void wake_sleepers(void)
{
	unsigned long flags = spin_lock(&sched_lock);
	struct thread *t, *tmp;
	u64 now = board_clock();

	list_for_each_entry_safe(t, tmp, &sleepers, run) {
		if (t->wake_at <= now)
			wake_locked(t);
	}
	spin_unlock(&sched_lock, flags);
}

void sched_tick(void)
{
	struct cpu *cpu = this_cpu();

	cpu->ticks++;
	cpu->need_resched = true;
	if (cpu->id == 0)
		wake_sleepers();
}

void sched_add(struct thread *t)
{
	unsigned long flags = spin_lock(&sched_lock);

	list_add_tail(&t->all, &all_threads);
	make_ready(t);
	spin_unlock(&sched_lock, flags);
}

void sched_first_run(void)
{
	/* Interrupts are off still: the saved state says so. */
	spin_unlock(&sched_lock, irq_save());
	irq_enable();
}

void sched_exit(void)
{
	struct thread *self = current(), *t, *tmp;

	spin_lock(&sched_lock);
	list_for_each_entry_safe(t, tmp, &self->joiners, run) {
		list_del(&t->run);
		wake_locked(t);
	}
	list_del(&self->all);
	self->state = THREAD_DEAD;
	switch_locked(true, NULL);
	BUG();
}

void sched_wait_dead(struct thread *t)
{
	struct thread *self = current();
	unsigned long flags;

	might_sleep();
	flags = spin_lock(&sched_lock);
	while (t->state != THREAD_DEAD) {
		list_add_tail(&self->run, &t->joiners);
		self->state = THREAD_BLOCKED;
		switch_locked(true, NULL);
	}
	spin_unlock(&sched_lock, flags);
}

void thread_block_unless(bool (*ready)(void))
{
	unsigned long flags = spin_lock(&sched_lock);

	if (!ready()) {
		current()->state = THREAD_BLOCKED;
		switch_locked(true, NULL);
	}
	spin_unlock(&sched_lock, flags);
}

int thread_for_each(int (*fn)(struct thread *t, void *arg), void *arg)
{
	unsigned long flags = spin_lock(&sched_lock);
	struct thread *t;
	int ret = 0;

	list_for_each_entry(t, &all_threads, all) {
		ret = fn(t, arg);
		if (ret)
			break;
	}
	spin_unlock(&sched_lock, flags);
	return ret;
}

bool thread_on_cpu(const struct thread *t)
{
	return on_cpu(t);
}

static void adopt(struct cpu *cpu, struct thread *t)
{
	t->state = THREAD_RUNNING;
	t->cpu = cpu->id;
	cpu->current = t;
	set_current(t);
	arch_set_shadow_sp(t->trace.shadow_sp);
}

void sched_init(void)
{
	struct thread *t = &boot_thread;

	memcpy(t->name, "main", 5);
	t->fp_state = boot_fp_state;
	t->stack_low = (unsigned long)__stack_boot_bottom;
	t->stack_high = (unsigned long)__stack_boot_top;
	/* It stays: a test or a benchmark may compare what it reads of its own CPU, or of all others. */
	t->pinned = this_cpu()->id;
	list_init(&t->run);
	list_init(&t->joiners);
	list_add_tail(&t->all, &all_threads);
	adopt(this_cpu(), t);
	libc_thread_init(t, NULL);
}

/* The boot CPU gets a thread to idle in; another CPU's start-up becomes its idle thread. */
void sched_init_cpu(void)
{
	struct cpu *cpu = this_cpu();

	if (cpu->id != 0)
		adopt(cpu, cpu->idle);
}

void sched_add_idle(struct cpu *cpu, struct thread *t)
{
	unsigned long flags = spin_lock(&sched_lock);

	t->state = THREAD_READY;
	t->cpu = cpu->id;
	cpu->idle = t;
	list_add_tail(&t->all, &all_threads);
	spin_unlock(&sched_lock, flags);
}

__noreturn void sched_idle(void)
{
	struct cpu *cpu = this_cpu();	/* this thread never moves */

	for (;;) {
		irq_disable();
		if (cpu->need_resched) {
			irq_enable();
			schedule();
			continue;
		}
		cpu->watching = false;
		cpu_idle();
		cpu->watching = true;
	}
}
