// SPDX-License-Identifier: MIT
/* The boot report: the machine, the memory, the call sites, how text is guarded. */
#include "kernel/main.h"

#include "base/host.h"
#include "base/print.h"
#include "kernel/board.h"
#include "kernel/mm.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/wx.h"
#include "linker/sections.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static void report_cpus(void)
{
	unsigned int online = smp_online();

	pr_info("baretrace on %s (%s), %u CPU%s of %u online\n", machine.name, PORT_ISA, online,
		online == 1 ? "" : "s", machine.nr_cpus + machine.nr_cpus_ignored);
	if (machine.nr_cpus_ignored)
		pr_info("  %u ignored: at most %u are used\n", machine.nr_cpus_ignored, MAX_CPUS);
}

static void report_memory(void)
{
	pr_info("memory: %zu KiB, %zu KiB free\n", mm_total_bytes() / 1024, mm_free_bytes() / 1024);
	for (unsigned int i = 0; i < machine.nr_memory; i++) {
		const struct memory_range *r = &machine.memory[i];

		pr_info("  %08llx-%08llx\n", (unsigned long long)r->start,
			(unsigned long long)(r->start + r->size - 1));
	}
	if (machine.nr_memory_ignored)
		pr_info("  %u more ranges ignored\n", machine.nr_memory_ignored);
}

static void report_part(const char *name, const char *start, const char *end)
{
	pr_info("  %08lx-%08lx %s\n", (unsigned long)start, (unsigned long)end - 1, name);
}

static void report_image(void)
{
	pr_info("image:\n");
	report_part("text", __text_start, __code_pool_start);
	report_part("code pool", __code_pool_start, __code_pool_end);
	report_part("constants", __rodata_start, __rodata_end);
	report_part("data", __data_start, __bss_end);
}

static void report_left_out(const struct site_stats *s)
{
	const struct {
		unsigned int nr;
		const char *why;
	} kinds[] = {
		{ s->zero, "of discarded code" },
		{ s->duplicate, "twice" },
		{ s->outside, "outside a function" },
		{ s->bad_bytes, "not as compiled" },
		{ s->refused, "of a shape that cannot be hooked" },
	};
	const char *before = "";

	pr_info("  left out: ");
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!kinds[i].nr)
			continue;
		pr_info("%s%u %s", before, kinds[i].nr, kinds[i].why);
		before = ", ";
	}
	pr_info(*before ? "\n" : "none\n");
}

static void report_sites(void)
{
	const struct site_stats *s = site_stats();

	pr_info("call sites: %u of flavour %s, of %u in the table\n", s->sites, arch_site_flavour,
		s->in_table);
	report_left_out(s);
	if (s->unreachable)
		pr_info("  %u out of the code pool's reach\n", s->unreachable);
	if (s->crossing)
		pr_info("  %u cross what is stored at once\n", s->crossing);
}

static void report_patching(void)
{
	pr_info("patching: method %s, touch %d, poke_batch %u, completion %d\n", text_poke_method_name(),
		text_poke_touching(), text_poke_limit(), text_poke_completion());
}

void boot_report(void)
{
	u64 ms = board_clock() * 1000 / board_clock_hz();
	unsigned int bad;

	report_cpus();
	report_memory();
	report_image();
	report_sites();
	report_patching();
	bad = wx_check();
	pr_info("W^X: %s; %s\n", mmu_describe(), bad ? "VIOLATED" : "every page of the image is as it should be");
	pr_info("clock: %llu ms since reset, at %llu Hz\n", (unsigned long long)ms,
		(unsigned long long)board_clock_hz());
}
