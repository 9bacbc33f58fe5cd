// SPDX-License-Identifier: MIT
/*
 * The x86-64 page tables: what faults and what the live tables say must be the
 * same thing; the text alias exists on the CPU that opened it and nowhere else;
 * a guard page is one on every CPU that runs its owner.
 */
#include "tests/test.h"

#include "base/atomic.h"
#include "kernel/fault.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "linker/sections.h"

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

static void check(const char *what, const char *address, bool want_read, bool want_write, bool want_exec)
{
	bool w, x, mapped = mmu_walk((unsigned long)address, &w, &x);

	report(mapped == want_read && w == want_write && x == want_exec,
	       "%s: the tables say read %d write %d execute %d", what, want_read, want_write, want_exec);
	report(can_read(address) == want_read && can_write((void *)address) == want_write,
	       "%s: accesses agree", what);
}

DEFINE_TEST(x86_mmu)
{
	static const u8 expected = 0xa5;
	u8 value = 0;
	void *page = page_alloc(0);

	report(!probe_read_u8(&expected, &value) && value == expected, "a probe reads what is there");
	report(!probe_write_u8(&value, 0x5a) && value == 0x5a, "a probe writes what it is told");
	check("text", __text_start, true, false, true);
	check("code pool", __code_pool_start, true, false, true);
	check("constants", __rodata_start, true, false, false);
	check("data", __data_start, true, true, false);
	check("guard of the boot stack", __stack_boot_guard, false, false, false);
	check("boot stack", __stack_boot_bottom, true, true, false);
	check("page 0", (const char *)8, false, false, false);
	check("text alias while closed", text_alias((unsigned long)__text_start), false, false, false);
	if (page) {
		check("RAM", page, true, true, false);
		page_free(page, 0);
	}
}

/* Each CPU looks while one has the alias open; all are held here with interrupts off. */
struct alias_view {
	unsigned int opener, arrived, left;
	bool text_stays_closed, alias_open[MAX_CPUS];
};

static void wait_for(unsigned int *count, unsigned int n)
{
	atomic_inc(count);
	while (atomic_read(count) < n)
		cpu_relax();
}

static void look_at_alias(void *arg)
{
	struct alias_view *view = arg;
	unsigned int n = smp_online();
	unsigned long cookie = 0;

	if (cpu_id() == view->opener)
		cookie = mmu_text_open();
	wait_for(&view->arrived, n);
	view->alias_open[cpu_id()] = can_write(text_alias((unsigned long)__text_start));
	if (can_write(__text_start))
		view->text_stays_closed = false;
	wait_for(&view->left, n);
	if (cpu_id() == view->opener)
		mmu_text_close(cookie);
}

DEFINE_TEST(x86_text_alias)
{
	void *alias = text_alias((unsigned long)__code_pool_start);
	unsigned long flags = irq_save(), outer, inner;
	bool open[4], w, x;
	struct cpu *cpu;

	outer = mmu_text_open();
	inner = mmu_text_open();
	open[0] = can_write(alias) && mmu_walk((unsigned long)alias, &w, &x) && w && !x;
	mmu_text_close(inner);
	open[1] = can_write(alias);
	mmu_text_close(outer);
	open[2] = can_read(alias);
	irq_restore(flags);
	report(open[0] && open[1] && !open[2], "pairs nest; writable and never executable inside");

	for_each_online_cpu(cpu) {
		struct alias_view view = { .opener = cpu->id, .text_stays_closed = true };
		bool only_there = true;

		smp_on_each_cpu(look_at_alias, &view, SMP_CALL_KERNEL);
		for (unsigned int i = 0; i < nr_cpus; i++)
			only_there &= view.alias_open[i] == (i == view.opener);
		report(only_there && view.text_stays_closed, "opened on CPU %u, seen there only", cpu->id);
	}
}

static void touch(void *arg)
{
	*(volatile u8 *)arg;
}

static int owner_is_kept_out(void *arg)
{
	return !can_read(arg);
}

/* All CPUs have the translation when the page goes; a new thread must not get by with it. */
DEFINE_TEST(x86_guard)
{
	void *page = page_alloc(0);
	struct cpu *cpu;

	report(page, "a page");
	if (!page)
		return;
	smp_on_each_cpu(touch, page, SMP_CALL_KERNEL);
	mmu_unmap_guard((unsigned long)page);
	report(!can_read(page), "gone for the CPU that took it out");
	report(can_write((char *)page - PAGE_SIZE) && can_write((char *)page + PAGE_SIZE),
	       "its neighbours are still there");
	for_each_online_cpu(cpu) {
		struct thread *t = thread_create("guard", owner_is_kept_out, page, cpu->id);

		report(t && thread_join(t), "gone for a thread on CPU %u", cpu->id);
	}
}
