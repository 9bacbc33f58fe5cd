// SPDX-License-Identifier: MIT
/* The virt board: device tree, interrupt controller, timer and counters. */
#include "tests/test.h"

#include "base/string.h"
#include "boards/drivers/fdt.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"

#include <port/sysreg.h>

/* ---- device tree ------------------------------------------------------- */

#define TREE_BYTES	512
#define STRINGS_AT	400

/* A small tree: / { two-cell addresses; memory@4000 {...}; off@1 {disabled}; bus { child@2 {...}; }; } */
struct builder {
	u8 blob[TREE_BYTES] __aligned(8);
	u32 at, strings;
};

static void put32(struct builder *b, u32 value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		b->blob[b->at++] = value >> shift;
}

static void put_text(struct builder *b, const char *text)
{
	memcpy(b->blob + b->at, text, strlen(text) + 1);
	b->at = ALIGN_UP(b->at + (u32)strlen(text) + 1, 4u);
}

static void begin_node(struct builder *b, const char *name)
{
	put32(b, 1);
	put_text(b, name);
}

static void begin_property(struct builder *b, const char *name, u32 bytes)
{
	put32(b, 3);
	put32(b, bytes);
	put32(b, b->strings);
	memcpy(b->blob + STRINGS_AT + b->strings, name, strlen(name) + 1);
	b->strings += strlen(name) + 1;
}

static void put_cells(struct builder *b, const char *name, unsigned int n, const u32 *cells)
{
	begin_property(b, name, n * 4);
	for (unsigned int i = 0; i < n; i++)
		put32(b, cells[i]);
}

static void put_string(struct builder *b, const char *name, const char *text)
{
	begin_property(b, name, strlen(text) + 1);
	put_text(b, text);
}

static void put_nodes(struct builder *b)
{
	static const u32 one = 1, two = 2, reg[] = { 1, 0x4000, 0, 0x100, 0, 0x9000, 0, 0x200 }, child[] = { 0x22 };

	begin_node(b, "");
	put_cells(b, "#address-cells", 1, &two);
	put_cells(b, "#size-cells", 1, &two);
	begin_node(b, "memory@4000");
	put_string(b, "device_type", "memory");
	put_cells(b, "reg", 8, reg);
	put32(b, 2);
	begin_node(b, "off@1");
	put_string(b, "compatible", "x,y");
	put_string(b, "status", "disabled");
	put32(b, 2);
	put32(b, 4);			/* FDT_NOP */
	begin_node(b, "bus");
	put_cells(b, "#address-cells", 1, &one);
	put_cells(b, "#size-cells", 1, &(u32){ 0 });
	begin_node(b, "child@2");
	begin_property(b, "compatible", 8);
	put_text(b, "a,b");
	put_text(b, "x,y");
	put_cells(b, "reg", 1, child);
	put32(b, 2);
	put32(b, 2);
	put32(b, 2);
	put32(b, 9);
}

static void build(struct builder *b)
{
	u32 end;

	*b = (struct builder){ .at = 72 };
	put_nodes(b);
	end = b->at;
	b->at = 40;			/* one reservation, then the end of the list */
	put32(b, 0), put32(b, 0x5000), put32(b, 0), put32(b, 0x1000);
	b->at = 0;
	put32(b, 0xd00dfeed), put32(b, TREE_BYTES), put32(b, 72), put32(b, STRINGS_AT), put32(b, 40);
	put32(b, 17), put32(b, 16), put32(b, 0), put32(b, TREE_BYTES - STRINGS_AT), put32(b, end - 72);
}

static void check_nodes(const struct fdt *fdt)
{
	int memory = fdt_find_path(fdt, "/memory@4000"), child = fdt_find_path(fdt, "/bus/child@2");
	u64 addr, size;

	report(memory != FDT_NONE && child != FDT_NONE, "nodes are found by path");
	report(fdt_find_path(fdt, "/bus/child@") == FDT_NONE && fdt_find_path(fdt, "/child@2") == FDT_NONE,
	       "and only by the whole path");
	report(fdt_reg(fdt, memory, 1, &addr, &size) && addr == 0x9000 && size == 0x200, "second entry of reg");
	report(fdt_reg(fdt, memory, 0, &addr, &size) && addr == 0x100004000 && size == 0x100, "64-bit address");
	report(!fdt_reg(fdt, memory, 2, &addr, &size), "no third entry");
	report(fdt_reg(fdt, child, 0, &addr, &size) && addr == 0x22 && size == 0, "cells come from the parent");
	report(fdt_find_compatible(fdt, FDT_NONE, "x,y") == child, "a disabled node is passed over");
	report(!fdt_has_string(fdt, child, "compatible", "a"), "strings are compared whole");
	report(!fdt_property(fdt, child, "status", NULL), "a property of another node is not found");
	report(fdt_reservation(fdt, 0, &addr, &size) && addr == 0x5000 && size == 0x1000 &&
	       !fdt_reservation(fdt, 1, &addr, &size), "reserved memory");
}

/* All that is asked of a tree, whatever is in it: must end, and read nothing outside. */
static unsigned int walk(const struct fdt *fdt)
{
	unsigned int nodes = 0;
	u64 addr, size;

	for (int node = FDT_NONE; (node = fdt_next(fdt, node, NULL)) != FDT_NONE; nodes++) {
		fdt_reg(fdt, node, 0, &addr, &size);
		fdt_has_string(fdt, node, "compatible", "x,y");
	}
	fdt_find_path(fdt, "/bus/child@2");
	for (unsigned int i = 0; fdt_reservation(fdt, i, &addr, &size); i++)
		;
	return nodes;
}

DEFINE_TEST(arm64_fdt)
{
	static struct builder b;
	unsigned int most = 0;
	struct fdt fdt;

	build(&b);
	report(fdt_open(&fdt, b.blob), "a good tree");
	check_nodes(&fdt);
	report(walk(&fdt) == 5, "five nodes");
	/* Each word made too large in turn. */
	for (u32 at = 0; at < TREE_BYTES; at += 4) {
		build(&b);
		memset(b.blob + at, 0x7f, 4);
		if (fdt_open(&fdt, b.blob))
			most = max(most, walk(&fdt));
	}
	report(most >= 5, "damaged trees are walked to an end");
	b.blob[0] = 0;
	report(!fdt_open(&fdt, b.blob) && !fdt_open(&fdt, NULL), "no tree");
}

/* ---- CPUs, interrupts, clock ---------------------------------------------- */

DEFINE_TEST(arm64_cpus)
{
	unsigned int equal = 0;

	for (unsigned int i = 0; i < machine.nr_cpus; i++)
		for (unsigned int j = 0; j < i; j++)
			equal += machine.cpu_hwid[i] == machine.cpu_hwid[j];
	report(machine.nr_cpus >= 1 && equal == 0, "%u CPUs, each with its own MPIDR", machine.nr_cpus);
	report(machine.cpu_hwid[0] == (read_sysreg(mpidr_el1) & 0xff00fffffful) || cpu_id() != 0,
	       "the boot CPU comes first");
}

static void nothing(void *arg)
{
}

DEFINE_TEST(arm64_ipis)
{
	unsigned long before[MAX_CPUS], me = cpu_id(), wrong = 0;
	struct cpu *cpu;

	preempt_disable();
	me = cpu_id();
	preempt_enable();
	for_each_online_cpu(cpu)
		before[cpu->id] = cpu->ipis[IPI_CALL];
	for (int i = 0; i < 100; i++)
		smp_on_each_cpu(nothing, NULL, SMP_CALL_KERNEL);
	for_each_online_cpu(cpu)
		wrong += cpu->id != me && cpu->ipis[IPI_CALL] - before[cpu->id] != 100;
	report(wrong == 0, "100 rounds are 100 IPIs on each of %u other CPUs", smp_online() - 1);
}

/* An emulated CPU may not run for a while, and then makes up for it: what counts is the time since reset. */
static bool all_tick(const unsigned long *before)
{
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		if (READ_ONCE(cpu->ticks) == before[cpu->id])
			return false;
	return true;
}

DEFINE_TEST(arm64_ticks)
{
	unsigned long before[MAX_CPUS], after[MAX_CPUS], many = 0, most;
	u64 start = board_clock(), end;
	struct cpu *cpu;

	for_each_online_cpu(cpu)
		before[cpu->id] = cpu->ticks;
	thread_sleep_ms(300);
	end = board_clock();
	for (int i = 0; i < 100 && !all_tick(before); i++)
		thread_sleep_ms(100);
	report(all_tick(before), "every CPU ticks");
	for_each_online_cpu(cpu)
		after[cpu->id] = READ_ONCE(cpu->ticks);
	most = board_clock() * TICK_HZ / board_clock_hz() + 1;
	for_each_online_cpu(cpu)
		many += after[cpu->id] > most;
	report(many == 0, "none too often");
	report((end - start) * 1000 / board_clock_hz() >= 300, "sleeping takes its time");
}

DEFINE_TEST(arm64_counters)
{
	unsigned long flags = irq_save();
	u64 insns = insns_read(), cycles = cycles_read();

	/* 100,000 times two instructions. */
	__asm__ volatile("	ldr	x9, =100000\n"
			 "1:	subs	x9, x9, #1\n"
			 "	b.ne	1b\n" : : : "x9", "cc");
	cycles = cycles_read() - cycles;
	insns = insns_read() - insns;
	irq_restore(flags);
	report(cycles > 0, "cycles go on");
	/* Exact on one CPU; several share the emulator's count, and others may have run in between. */
	if (read_sysreg(pmceid0_el0) >> 8 & 1)
		report(insns >= 200000 && insns < (smp_online() == 1 ? 200100 : 220000),
		       "instructions are counted (%lu)", (unsigned long)insns);
	else
		report_skip("no instruction counter without icount");
}
