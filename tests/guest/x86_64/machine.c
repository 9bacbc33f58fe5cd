// SPDX-License-Identifier: MIT
/*
 * The PC as it was found: CPUs, IPIs, ticks, clock and counter.
 */
#include "tests/test.h"

#include "kernel/board.h"
#include "kernel/fault.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "linker/sections.h"

#define NR_CALLS	100
#define TICKS_MS	300
#define NR_NOPS		1000

static void see_own_id(void *arg)
{
	((u8 *)arg)[cpu_id()] += this_cpu() == &cpus[cpu_id()];
}

DEFINE_TEST(x86_cpus)
{
	u8 seen[MAX_CPUS] = { 0 };
	bool once = true, unique = true;

	report(machine.nr_cpus >= 1 && smp_online() == nr_cpus, "all %u CPUs are online", nr_cpus);
	smp_on_each_cpu(see_own_id, seen, SMP_CALL_KERNEL);
	for (unsigned int i = 0; i < MAX_CPUS; i++) {
		once &= seen[i] == (i < nr_cpus);
		for (unsigned int k = 0; k < i && i < machine.nr_cpus; k++)
			unique &= machine.cpu_hwid[i] != machine.cpu_hwid[k];
	}
	report(once, "each knows its number and its data");
	report(unique, "no APIC id twice");
}

static void nothing(void *arg)
{
}

/* On CPU 0, which sends itself none. */
static int call_the_others(void *arg)
{
	for (unsigned int i = 1; i < nr_cpus; i++)
		for (unsigned int n = 0; n < NR_CALLS; n++)
			smp_on_cpu(i, nothing, NULL);
	return 0;
}

DEFINE_TEST(x86_ipis)
{
	unsigned long before[MAX_CPUS], got;
	struct thread *t;

	for (unsigned int i = 0; i < nr_cpus; i++)
		before[i] = READ_ONCE(cpus[i].ipis[IPI_CALL]);
	t = thread_create("caller", call_the_others, NULL, 0);
	report(t && thread_join(t) == 0, "a caller on CPU 0");
	for (unsigned int i = 0; i < nr_cpus; i++) {
		got = READ_ONCE(cpus[i].ipis[IPI_CALL]) - before[i];
		report(got == (i ? NR_CALLS : 0), "CPU %u got %lu", i, got);
	}
}

DEFINE_TEST(x86_ticks)
{
	unsigned long before[MAX_CPUS], most = TICKS_MS * TICK_HZ / 1000;
	u64 start = board_clock(), ms;

	for (unsigned int i = 0; i < nr_cpus; i++)
		before[i] = READ_ONCE(cpus[i].ticks);
	thread_sleep_ms(TICKS_MS);
	ms = (board_clock() - start) * 1000 / board_clock_hz();
	most = ms * TICK_HZ / 1000 + 2;
	report(ms >= TICKS_MS - 1000 / TICK_HZ, "%d ms asleep are not less by the clock: %llu", TICKS_MS,
	       (unsigned long long)ms);
	/* A busy host may swallow ticks, but nobody makes some up. */
	for (unsigned int i = 0; i < nr_cpus; i++)
		report(cpus[i].ticks > before[i] && cpus[i].ticks - before[i] <= most,
		       "CPU %u: %lu ticks of at most %lu", i, cpus[i].ticks - before[i], most);
}

static void read_clock(void *arg)
{
	*(u64 *)arg = board_clock();
}

static u64 insns_of_nops(bool nops)
{
	u64 start = insns_read();

	if (nops)
		__asm__ volatile(".rept %c0; nop; .endr" : : "i"(NR_NOPS));
	return insns_read() - start;
}

DEFINE_TEST(x86_counters)
{
	u64 nops[2], empty;
	unsigned long flags;

	for (unsigned int i = 0; i < nr_cpus; i++) {
		u64 before = board_clock(), there = 0, after;

		smp_on_cpu(i, read_clock, &there);
		after = board_clock();
		report(before <= there && there <= after, "CPU %u reads the same clock", i);
	}

	flags = irq_save();
	empty = insns_of_nops(false);
	nops[0] = insns_of_nops(true) - empty;
	nops[1] = insns_of_nops(true) - empty;
	irq_restore(flags);
	if (nops[0] == nops[1] && nops[0] / NR_NOPS == 1)
		report(nops[0] - NR_NOPS <= 2, "the counter counts instructions: %llu for %d",
		       (unsigned long long)nops[0], NR_NOPS);
	else
		report_skip("the counter counts time here");
}

/* The address is kept per CPU: stay here from the fault to the look. */
static bool faults_at(const void *p, bool write)
{
	unsigned long flags = irq_save();
	u8 value;
	bool right;

	this_cpu()->fault_addr = 0;
	right = write ? probe_write_u8((void *)p, 0) : probe_read_u8(p, &value);
	right &= this_cpu()->fault_addr == (unsigned long)p;
	irq_restore(flags);
	return right;
}

DEFINE_TEST(x86_fault)
{
	static u8 code[16];
	u8 value;

	report(faults_at(__text_start + 5, true), "a stray store to text faults there");
	report(faults_at((void *)0x10, false), "so does a read of page 0");
	report(probe_read_u8((void *)(1UL << 62), &value), "and one at an address that cannot be");
	report(!probe_write_u8(code, 0xc3) && code[0] == 0xc3, "and a store to data does not");
}
