// SPDX-License-Identifier: MIT
/*
 * Text cannot be written where it runs, data cannot be run, and what must not
 * be touched is not mapped: by the live page tables and by trying.
 */
#include "tests/test.h"

#include "kernel/fault.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "kernel/wx.h"
#include "linker/sections.h"

static bool is_plain_data(const void *p)
{
	bool w, x;

	return mmu_walk((unsigned long)p, &w, &x) && w && !(x && PORT_HAS_NX);
}

static int check_stack(void *arg)
{
	return is_plain_data(&arg);
}

static unsigned int wx_check_open(void)
{
	unsigned long flags = irq_save(), cookie = mmu_text_open();
	unsigned int bad = wx_check();

	mmu_text_close(cookie);
	irq_restore(flags);
	return bad;
}

DEFINE_TEST(wx_walk)
{
	void *page = page_alloc(0);

	report(wx_check() == 0, "the image is mapped as it should be, and nothing that runs can be written");
	report(wx_check_open() > 0, "the alias is found while it is open");
	report(is_plain_data(page), "so is a page of RAM");
	page_free(page, 0);
	report(thread_join(thread_create("stack", check_stack, NULL, smp_online() - 1)),
	       "and a thread's stack");
}

/* A stray store to each page; the byte that is there, in case it is let through. */
static unsigned int stores_through(const char *start, const char *end)
{
	unsigned int through = 0;
	u8 value;

	for (unsigned long p = (unsigned long)start; p < (unsigned long)end; p += PAGE_SIZE) {
		if (probe_read_u8((void *)p, &value))
			continue;
		if (!probe_write_u8((void *)p, value))
			through++;
	}
	return through;
}

static void check_stores(const char *what, const char *start, const char *end)
{
	unsigned int pages = ((unsigned long)end - (unsigned long)start) / PAGE_SIZE;

	report(stores_through(start, end) == 0, "a store to any of %u pages of %s faults", pages, what);
}

static void all_stores(void)
{
	check_stores("text", __text_start, __code_pool_start);
	check_stores("the code pool", __code_pool_start, __code_pool_end);
	check_stores("constants", __rodata_start, __rodata_end);
}

static int stores_here(void *arg)
{
	all_stores();
	return 0;
}

DEFINE_TEST(wx_stores)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		thread_join(thread_create("stores", stores_here, NULL, cpu->id));
}

/* The alias of whoever is patching is nobody else's, and is gone when it is closed. */
DEFINE_TEST(wx_alias)
{
	unsigned long addr = (unsigned long)__code_pool_start;
	bool w, x;
	bool open;

	report(!mmu_walk((unsigned long)text_alias(addr), &w, &x) || !w || text_alias(addr) == (void *)addr,
	       "the alias cannot be written through while it is closed");
	unsigned long cookie = mmu_text_open();

	open = mmu_walk((unsigned long)text_alias(addr), &w, &x) && w && !(x && PORT_HAS_NX);
	mmu_text_close(cookie);
	report(open, "it can while it is open, and cannot be executed");
	report(!mmu_walk((unsigned long)text_alias(addr), &w, &x) || !w || text_alias(addr) == (void *)addr,
	       "and no longer behind that");
}

static volatile u8 byte = 3;

DEFINE_TEST(fault_probe)
{
	u8 value = 0;

	report(!probe_read_u8((const void *)&byte, &value) && value == 3, "a good byte is read");
	report(!probe_write_u8((void *)&byte, 5) && byte == 5, "and written");
	report(this_cpu()->fixup_pc == 0, "no fixup is left armed");
}

static void check_unmapped(const char *what, unsigned long addr)
{
	bool w, x;
	u8 value;

	report(!mmu_walk(addr, &w, &x), "%s: not mapped", what);
	report(probe_read_u8((const void *)addr, &value), "%s: reading faults", what);
	report(probe_write_u8((void *)addr, 0), "%s: writing faults", what);
	report(this_cpu()->fault_addr == addr, "%s: the fault names the address", what);
}

static int check_own_guard(void *arg)
{
	check_unmapped("below a thread's stack", current()->stack_low - 1);
	check_unmapped("a page below", current()->stack_low - PAGE_SIZE);
	return 0;
}

static int visit_idle(struct thread *t, void *arg)
{
	bool w, x;
	unsigned int *mapped = arg;

	*mapped += mmu_walk(t->stack_low - 1, &w, &x);
	return 0;
}

DEFINE_TEST(fault_unmapped)
{
	unsigned int mapped = 0;

	/* Odd, so that what is compared is an address, not its page. */
	check_unmapped("page 0", 9);
	check_unmapped("below the boot stack", (unsigned long)__stack_boot_bottom - 1);
	thread_join(thread_create("guarded", check_own_guard, NULL, smp_online() - 1));
	thread_for_each(visit_idle, &mapped);
	report(mapped == 0, "below every thread's stack there is nothing");
}
