// SPDX-License-Identifier: MIT
/*
 * The ARM926EJ-S's page tables: what faults, and what the live tables say, must
 * be the same thing; the text alias exists only while somebody writes.
 */
#include "tests/test.h"

#include "base/string.h"
#include "kernel/fault.h"
#include "kernel/mm.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "linker/sections.h"

#include <port/cp15.h>
#include <port/vectors.h>

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

static void check(const char *what, void *p, bool want_read, bool want_write)
{
	bool w = false, x = false;
	bool mapped = mmu_walk((unsigned long)p, &w, &x);

	report(mapped == want_read && w == want_write, "%s: the tables say read %d write %d", what,
	       want_read, want_write);
	report(can_read(p) == want_read && can_write(p) == want_write, "%s: accesses agree", what);
}

DEFINE_TEST(arm_mmu)
{
	check("text", __text_start, true, false);
	check("code pool", last_byte(__code_pool_end), true, false);
	check("rodata", last_byte(__rodata_end), true, false);
	check("data", __data_start, true, true);
	check("bss", last_byte(__bss_end), true, true);
	check("guard of the boot stack", __stack_boot_guard, false, false);
	check("page 0", (void *)4, false, false);
	check("vectors", (void *)VECTORS_HIGH, true, false);
	check("above the vectors' page", (void *)(VECTORS_HIGH + PAGE_SIZE), false, false);
	report(sctlr_read() & SCTLR_HIGH_VECTORS, "vectors are high");
	report((sctlr_read() & (SCTLR_DCACHE | SCTLR_ICACHE)) == (SCTLR_DCACHE | SCTLR_ICACHE),
	       "both caches are on");
}

DEFINE_TEST(arm_text_alias)
{
	unsigned long outer, inner;
	void *first = text_alias((unsigned long)__text_start);
	void *last = text_alias((unsigned long)last_byte(__text_end));

	check("alias, closed", first, false, false);
	outer = mmu_text_open();
	report(!irqs_enabled(), "interrupts are off while it is open");
	check("alias, open", first, true, true);
	check("end of the alias, open", last, true, true);
	check("text beside its alias", __text_start, true, false);
	report(memcmp(first, __text_start, 64) == 0, "the alias shows the text");
	inner = mmu_text_open();
	mmu_text_close(inner);
	check("alias, inner pair closed", first, true, true);
	report(!irqs_enabled(), "interrupts are off still");
	mmu_text_close(outer);
	check("alias, closed again", first, false, false);
	check("end of the alias, closed again", last, false, false);
	report(irqs_enabled(), "interrupts are as before");
}

DEFINE_TEST(arm_guard)
{
	u8 *block = page_alloc(2);

	report(block, "four pages");
	if (!block)
		return;
	mmu_unmap_guard((unsigned long)block + PAGE_SIZE);
	check("page below the guard", block + PAGE_SIZE - 1, true, true);
	check("guard, first byte", block + PAGE_SIZE, false, false);
	check("guard, last byte", block + 2 * PAGE_SIZE - 1, false, false);
	check("page above the guard", block + 2 * PAGE_SIZE, true, true);
	/* Not given back: the page stays unmapped. */
}

DEFINE_TEST(arm_fault)
{
	u32 words[2] = { 0 };
	unsigned long addr = (unsigned long)words + 1, value;
	u8 byte;

	report(probe_read_u8((void *)0x20, &byte) && this_cpu()->fault_addr == 0x20,
	       "a fault tells its address");
	/* The fixup of probe.S is for bytes; a word that is not aligned needs one here. */
	this_cpu()->fault_addr = 0;
	__asm__ volatile("	mrs	r3, cpsr\n"
			 "	orr	r2, r3, #0xc0\n"
			 "	msr	cpsr_c, r2\n"
			 "	adr	r2, 1f\n"
			 "	str	r2, [%2]\n"
			 "	ldr	%0, [%1]\n"
			 "1:	mov	r2, #0\n"
			 "	str	r2, [%2]\n"
			 "	msr	cpsr_c, r3\n"
			 : "=&r"(value) : "r"(addr), "r"(&this_cpu()->fixup_pc) : "r2", "r3", "memory");
	report(this_cpu()->fault_addr == addr, "a misaligned word faults");
}

/*
 * Reads address 0 with sp at @sp; the fault cannot be reported there. Return: sp
 * when it goes on, which must be the same.
 */
static unsigned long fault_at_sp(unsigned long sp)
{
	unsigned long after;

	__asm__ volatile("	mrs	r3, cpsr\n"
			 "	orr	r2, r3, #0xc0\n"
			 "	msr	cpsr_c, r2\n"
			 "	adr	r2, 1f\n"
			 "	str	r2, [%2]\n"
			 "	mov	r4, sp\n"
			 "	mov	sp, %1\n"
			 "	mov	r2, #0\n"
			 "	ldr	r2, [r2]\n"
			 "1:	mov	%0, sp\n"
			 "	mov	sp, r4\n"
			 "	mov	r2, #0\n"
			 "	str	r2, [%2]\n"
			 "	msr	cpsr_c, r3\n"
			 : "=&r"(after) : "r"(sp), "r"(&this_cpu()->fixup_pc) : "r2", "r3", "r4", "memory");
	return after;
}

DEFINE_TEST(arm_fault_stack)
{
	unsigned long guard = (unsigned long)__stack_boot_guard;
	static const unsigned long at[] = { 0, 8, PAGE_SIZE - 4, PAGE_SIZE, PAGE_SIZE + 76, PAGE_SIZE + 4096 };

	for (unsigned int i = 0; i < ARRAY_SIZE(at); i++)
		report(fault_at_sp(guard + at[i]) == guard + at[i],
		       "a fault with sp %lu bytes above the guard's start", at[i]);
	report(fault_at_sp(0x30000000) == 0x30000000, "a fault with sp where nothing is");
	report(fault_at_sp(8) == 8, "a fault with sp in page 0");
}
