// SPDX-License-Identifier: MIT
/*
 * The console.
 *
 * Its lock is not a struct spinlock: it is also taken by NMIs and by faults
 * inside its own holder, which go through without it, and a panic waits for it
 * only so long.
 */
#include "kernel/console.h"

#include "base/atomic.h"
#include "base/list.h"
#include "kernel/board.h"
#include "kernel/lock.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/sched.h"
#include "kernel/smp.h"

#define RING_BYTES	256	/* a power of two */
#define PANIC_SPINS	10000000

static unsigned int owner;	/* CPU id + 1 */
static bool panicking;
static const struct thread *open_line;	/* whose text has no newline at its end yet */

/* Return: false when this CPU has it already (or nobody else runs). */
static bool console_lock(unsigned int me)
{
	unsigned long spins = 0;

	if (!smp_started || READ_ONCE(owner) == me)
		return false;
	while (!atomic_cmpxchg(&owner, 0u, me)) {
		cpu_relax();
		if (READ_ONCE(panicking) && spins++ > PANIC_SPINS)
			return false;
	}
	return true;
}

void console_write(const char *text, size_t n)
{
	unsigned long flags = irq_save();
	const struct thread *self = this_cpu()->current;
	bool locked;

	if (n) {
		locked = console_lock(cpu_id() + 1);
		if (open_line && open_line != self)
			board_console_write("\n", 1);
		board_console_write(text, n);
		open_line = text[n - 1] == '\n' ? NULL : self;
		if (locked)
			smp_store_release(&owner, 0u);
	}
	irq_restore(flags);
}

void console_panic(void)
{
	WRITE_ONCE(panicking, true);
}

static struct {
	struct spinlock lock;
	unsigned int head, tail;	/* count up; taken modulo the size */
	unsigned long overruns;		/* times that the UART lost bytes */
	bool held;			/* no room: the UART keeps what comes, and whoever sends waits */
	struct thread *waiter;
	u8 bytes[RING_BYTES];
} input;

void console_irq(void)
{
	unsigned long flags = spin_lock(&input.lock);
	struct thread *waiter = input.waiter;
	int c = 0;

	while (input.head - input.tail < RING_BYTES && (c = board_console_read()) >= 0) {
		input.bytes[input.head++ % RING_BYTES] = c;
		input.overruns += !!(c & BOARD_CONSOLE_LOST);
	}
	input.held = c >= 0;
	if (input.held)
		board_console_listen(false);
	input.waiter = NULL;
	spin_unlock(&input.lock, flags);
	if (waiter)
		thread_wake(waiter);
}

int console_getc(void)
{
	unsigned long flags = spin_lock(&input.lock);
	int c = input.head == input.tail ? -1 : input.bytes[input.tail++ % RING_BYTES];

	if (input.held && input.head == input.tail) {
		input.held = false;
		board_console_listen(true);
	}
	spin_unlock(&input.lock, flags);
	return c;
}

static bool input_ready(void)
{
	return READ_ONCE(input.head) != READ_ONCE(input.tail);
}

void console_wait(void)
{
	might_sleep();
	while (!input_ready()) {
		WRITE_ONCE(input.waiter, current());
		thread_block_unless(input_ready);
	}
}

unsigned long console_overruns(void)
{
	return READ_ONCE(input.overruns);
}
