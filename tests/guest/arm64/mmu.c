// SPDX-License-Identifier: MIT
/*
 * arm64's page tables: what faults, and what the live tables say, must be the
 * same thing; the text alias exists only while and where somebody writes.
 */
#include "tests/test.h"

#include "base/atomic.h"
#include "base/string.h"
#include "kernel/fault.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "linker/sections.h"

#include <port/mmu.h>
#include <port/sysreg.h>

static bool can_read(const void *p)
{
	u8 value;

	return !probe_read_u8(p, &value);
}

/* Writes the byte that is there: harmless where it succeeds. */
static bool can_write(void *p)
{
	u8 value;

	return !probe_read_u8(p, &value) && !probe_write_u8(p, value);
}

/* An end of the image is an address, not an array of which this would be element -1. */
static void *last_byte(const char *end)
{
	return (void *)((unsigned long)end - 1);
}

static void check(const char *what, void *p, const char *want)
{
	bool want_read = strchr(want, 'r'), want_write = strchr(want, 'w'), want_exec = strchr(want, 'x');
	bool w = false, x = false;
	bool mapped = mmu_walk((unsigned long)p, &w, &x);

	report(mapped == want_read && w == want_write && x == want_exec, "%s: the tables say '%s'", what, want);
	report(can_read(p) == want_read && can_write(p) == want_write, "%s: accesses agree", what);
}

DEFINE_TEST(arm64_mmu)
{
	check("text", __text_start, "rx");
	check("code pool", last_byte(__code_pool_end), "rx");
	check("rodata", __rodata_start, "r");
	check("end of rodata", last_byte(__rodata_end), "r");
	check("data", __data_start, "rw");
	check("bss", last_byte(__bss_end), "rw");
	check("guard of the boot stack", __stack_boot_guard, "");
	check("page 0", (void *)8, "");
	check("between the halves", (void *)(1ul << 45), "");
	report(read_sysreg(sctlr_el1) & SCTLR_WXN, "SCTLR.WXN is set");
	report((read_sysreg(sctlr_el1) & (SCTLR_C | SCTLR_I)) == (SCTLR_C | SCTLR_I), "both caches are on");
}

DEFINE_TEST(arm64_text_alias)
{
	void *first = text_alias((unsigned long)__text_start);
	void *last = text_alias((unsigned long)last_byte(__text_end));
	unsigned long outer, inner, flags;

	check("alias, closed", first, "");
	flags = irq_save();
	outer = mmu_text_open();
	check("alias, open", first, "rw");
	check("end of the alias, open", last, "rw");
	check("behind the alias, open", (char *)last + 1, "");
	check("text beside its alias", __text_start, "rx");
	report(memcmp(first, __text_start, 64) == 0, "the alias shows the text");
	inner = mmu_text_open();
	mmu_text_close(inner);
	check("alias, inner pair closed", first, "rw");
	mmu_text_close(outer);
	check("alias, closed again", first, "");
	check("end of the alias, closed again", last, "");
	irq_restore(flags);
}

struct meeting {
	unsigned int arrived, opened, looked;
	unsigned int readers;		/* CPUs that saw an alias which is not theirs */
};

static void wait_until(unsigned int *count, unsigned int n)
{
	while (smp_load_acquire(count) < n)
		cpu_relax();
}

/* The first to come opens, the others look, then it closes. */
static void look_at_alias(void *arg)
{
	void *alias = text_alias((unsigned long)__text_start);
	struct meeting *m = arg;
	unsigned long cookie;

	if (atomic_fetch_add(&m->arrived, 1u) == 0) {
		cookie = mmu_text_open();
		if (!can_read(alias))
			atomic_fetch_add(&m->readers, 100u);
		atomic_inc(&m->opened);
		wait_until(&m->looked, smp_online() - 1);
		mmu_text_close(cookie);
		return;
	}
	wait_until(&m->opened, 1);
	if (can_read(alias))
		atomic_inc(&m->readers);
	atomic_inc(&m->looked);
}

DEFINE_TEST(arm64_alias_is_private)
{
	struct meeting m = { 0 };

	smp_on_each_cpu(look_at_alias, &m, SMP_CALL_KERNEL);
	report(m.arrived == smp_online() && m.readers == 0, "open on one of %u CPUs, closed on all others",
	       smp_online());
}

DEFINE_TEST(arm64_guard)
{
	u8 *block = page_alloc(2);

	report(block, "four pages");
	if (!block)
		return;
	mmu_unmap_guard((unsigned long)block + PAGE_SIZE);
	check("page below the guard", block + PAGE_SIZE - 1, "rw");
	check("guard, first byte", block + PAGE_SIZE, "");
	check("guard, last byte", block + 2 * PAGE_SIZE - 1, "");
	check("page above the guard", block + 2 * PAGE_SIZE, "rw");
	/* Not given back: the page stays unmapped. */
}

DEFINE_TEST(arm64_fault)
{
	struct cpu *cpu = this_cpu();
	u8 byte = 7;

	report(probe_read_u8((void *)0x20, &byte) && cpu->fault_addr == 0x20 && byte == 7,
	       "a fault tells its address and leaves the value alone");
	report(probe_write_u8(__text_start, 0) && cpu->fault_addr == (unsigned long)__text_start,
	       "a store to text too");
	report(!probe_read_u8(__text_start, &byte) && byte == (u8)__text_start[0], "no fault: the value");
	report(irqs_enabled(), "interrupts are as before");
}
