// SPDX-License-Identifier: MIT
/*
 * Ways to end the guest: each must print what happened and end with "PANIC:"
 * and a failing exit code. `crash=` chooses; tests.cfg says what must be seen.
 */
#include "tests/test.h"
#include "tests/guest/crash_hooked.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "base/bug.h"
#include "base/host.h"
#include "base/print.h"
#include "base/string.h"
#include "kernel/cmdline.h"
#include "kernel/fault.h"
#include "kernel/lock.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "linker/sections.h"

static DEFINE_MUTEX(mutex);
static struct spinlock spinlock;

static void crash_panic(void)
{
	host_panic(NULL, "because the test asked for it");
}

static void crash_bug(void)
{
	unsigned int two = READ_ONCE(nr_cpus) ? 2 : 3;

	BUG_ON(two == 2);
}

/* Not constant, so that the compiler has nothing to say about it. */
static unsigned long bad_address = 0x18;

static void crash_read(void)
{
	(void)*(volatile int *)READ_ONCE(bad_address);
}

static void crash_write(void)
{
	*(volatile int *)READ_ONCE(bad_address) = 1;
}

static void crash_text(void)
{
	*(volatile u32 *)__text_start = 0;
}

static void crash_constant(void)
{
	*(volatile char *)__rodata_start = 0;
}

static u32 data_code[16] __aligned(64);

static void crash_execute(void)
{
	void (*fn)(void) = (void (*)(void))data_code;

	/* By a register: data may be further away than a branch goes. */
	__asm__("" : "+r"(fn));
	fn();
}

static void crash_jump(void)
{
	void (*fn)(void) = (void (*)(void))(READ_ONCE(bad_address) & ~0xfful);

	fn();
}

/* The report itself faults, on registers that are none. */
static void crash_again(void)
{
	host_panic((const struct pt_regs *)READ_ONCE(bad_address), "with bad registers");
}

static noinline int deeper(volatile char *above)
{
	volatile char room[256];

	room[0] = above[0];
	return room[0] == 0 ? deeper(room) + room[0] : 0;
}

static int overflow(void *arg)
{
	volatile char first = 0;

	return deeper(&first);
}

static void crash_stack(void)
{
	thread_join(thread_create("deep", overflow, NULL, smp_online() - 1));
}

static void crash_boot_stack(void)
{
	overflow(NULL);
}

static void read_null(void *arg)
{
	crash_read();
}

static void crash_interrupt(void)
{
	port_soft_irq(read_null, NULL);
}

static void sleep_in_interrupt(void *arg)
{
	mutex_lock(&mutex);
}

static void crash_sleep(void)
{
	port_soft_irq(sleep_in_interrupt, NULL);
}

static void crash_sleep_locked(void)
{
	spin_lock(&spinlock);
	thread_sleep_ms(1);
}

static void crash_mutex_twice(void)
{
	mutex_lock(&mutex);
	mutex_lock(&mutex);
}

static void crash_mutex_foreign(void)
{
	mutex_unlock(&mutex);
}

static void crash_spin_twice(void)
{
	spin_lock(&spinlock);
	spin_lock(&spinlock);
}

static void crash_free_twice(void)
{
	void *p = page_alloc(0);

	page_free(p, 0);
	page_free(p, 0);
}

static void malloc_here(void *arg)
{
	free(malloc(10));
}

static void crash_malloc(void)
{
	port_soft_irq(malloc_here, NULL);
}

static void crash_abort(void)
{
	abort();
}

static void crash_exit(void)
{
	printf("leaving by exit\n");
	exit(3);
}

static int panic_there(void *arg)
{
	host_panic(NULL, "on another CPU");
}

static __noreturn int spin_forever(void *arg)
{
	if (arg)
		irq_disable();
	for (;;)
		cpu_relax();
}

/* The others are busy, one of them with interrupts off. */
static void crash_busy(void)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu) {
		if (cpu->id != 0 && cpu->id != smp_online() - 1)
			thread_create("busy", spin_forever, cpu->id == 1 ? cpu : NULL, cpu->id);
	}
	thread_sleep_ms(50);
	thread_join(thread_create("panics", panic_there, NULL, smp_online() - 1));
}

static void panic_in_round(void *arg)
{
	if (cpu_id() == smp_online() - 1)
		host_panic(NULL, "inside a call to all CPUs");
	for (;;)
		cpu_relax();
}

static void crash_round(void)
{
	smp_on_each_cpu(panic_in_round, NULL, SMP_CALL_KERNEL);
}

static unsigned int arrived;

static void meet_all(void *arg)
{
	atomic_inc(&arrived);
	while (atomic_read(&arrived) != smp_online())
		cpu_relax();
}

/* All meet in a round, as where the patch method is `stop`; one never takes the interrupt. */
static void crash_deaf(void)
{
	thread_create("deaf", spin_forever, this_cpu(), smp_online() - 1);
	thread_sleep_ms(50);
	smp_on_each_cpu(meet_all, NULL, SMP_CALL_KERNEL);
}

static unsigned int racers;

static int race(void *arg)
{
	host_panic(NULL, "several at once");
}

static void crash_race(void)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		racers += thread_create("racer", race, NULL, cpu->id) != NULL;
	thread_sleep_ms(5000);
}

static const struct crash {
	const char *name;
	void (*run)(void);
} crashes[] = {
	{ "panic", crash_panic },
	{ "bug", crash_bug },
	{ "read", crash_read },
	{ "write", crash_write },
	{ "text", crash_text },
	{ "constant", crash_constant },
	{ "execute", crash_execute },
	{ "jump", crash_jump },
	{ "again", crash_again },
	{ "stack", crash_stack },
	{ "boot_stack", crash_boot_stack },
	{ "interrupt", crash_interrupt },
	{ "callback", crash_callback },
	{ "graph", crash_graph },
	{ "graph_return", crash_graph_return },
	{ "sleep", crash_sleep },
	{ "sleep_locked", crash_sleep_locked },
	{ "mutex_twice", crash_mutex_twice },
	{ "mutex_foreign", crash_mutex_foreign },
	{ "spin_twice", crash_spin_twice },
	{ "free_twice", crash_free_twice },
	{ "malloc", crash_malloc },
	{ "abort", crash_abort },
	{ "exit", crash_exit },
	{ "busy", crash_busy },
	{ "round", crash_round },
	{ "deaf", crash_deaf },
	{ "race", crash_race },
};

DEFINE_TEST(crash)
{
	const char *name = cmdline_get("crash", "");

	for (unsigned int i = 0; i < ARRAY_SIZE(crashes); i++) {
		if (strcmp(crashes[i].name, name) == 0)
			crashes[i].run();
	}
	/* "all" comes by here without wanting to end; a name that came back did not crash. */
	if (*name)
		report(false, "crash=%s did not end the guest", name);
	else
		report_skip("crash= chooses one");
}
