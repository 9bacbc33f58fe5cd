// SPDX-License-Identifier: MIT
/* Drivers of the board whose logic can be tested without their device: the clock and the ATAG parser. */
#include "tests/test.h"

#include "base/string.h"
#include "boards/drivers/atags.h"
#include "boards/drivers/clock32.h"
#include "kernel/board.h"
#include "kernel/machine.h"
#include "kernel/percpu.h"
#include "kernel/port.h"

DEFINE_TEST(arm_clock)
{
	struct cpu *cpu = this_cpu();
	unsigned long first = cpu->ticks;
	u64 last = board_clock(), now, start;
	unsigned int back = 0;

	while (cpu->ticks == first)
		cpu_relax();
	start = board_clock();
	while (cpu->ticks < first + 11) {
		now = board_clock();
		back += now < last;
		last = now;
	}
	now = (last - start) * 1000 / board_clock_hz();
	report(back == 0, "never goes back");
	/* Ten ticks; an emulator may be late with some, never early with all. */
	report(now >= 90 && now < 1000, "ten ticks of 10 ms take %lu ms", (unsigned long)now);
}

DEFINE_TEST(arm_clock_wrap)
{
	static volatile u32 counter = 0xfffffff0;
	struct clock32 clock;
	u64 total;

	clock32_init(&clock, &counter);
	report(clock32_read(&clock) == 0, "starts at 0");
	counter = 0x10;
	report(clock32_read(&clock) == 0x20, "counts across the wrap");
	counter = 0x0f;
	total = clock32_read(&clock);
	report(total == 0x20 + 0xffffffffull, "counts a whole round less one (%llx)", (unsigned long long)total);
}

static const u32 good_list[] = {
	2, 0x54410001,
	4, 0x54410002, 0x00200000, 0x00000000,		/* 2 MiB at 0 */
	4, 0x54410002, 0x00100000, 0x08000000,		/* 1 MiB at 128 MiB */
	3, 0x54410007, 0x12345678,			/* a tag we do not know */
	4, 0x54410009, 0x3d6c6c61, 0x00000031,		/* "all=1" */
	0, 0,
};

static void parse(const u32 *list, size_t bytes, bool *is_list)
{
	machine.nr_memory = 0;
	machine.cmdline[0] = '\0';
	*is_list = atags_parse((unsigned long)list, bytes);
}

static void check_good(void)
{
	bool ok;

	parse(good_list, sizeof(good_list), &ok);
	report(ok && machine.nr_memory == 2, "two memory tags");
	report(machine.memory[0].start == PAGE_SIZE && machine.memory[0].size == 0x200000 - PAGE_SIZE,
	       "page 0 is given up");
	report(machine.memory[1].start == 0x08000000 && machine.memory[1].size == 0x100000,
	       "memory above is whole");
	report(strcmp(machine.cmdline, "all=1") == 0, "command line");
}

static void check_bad(void)
{
	static u32 list[ARRAY_SIZE(good_list)];
	bool ok;

	parse(NULL, 4096, &ok);
	report(!ok && machine.nr_memory == 0, "no list");
	parse(good_list + 2, sizeof(good_list) - 8, &ok);
	report(!ok && machine.nr_memory == 0, "a list that does not begin with ATAG_CORE");
	parse(good_list, 6 * sizeof(u32), &ok);
	report(ok && machine.nr_memory == 1, "a list that is cut off ends there");
	memcpy(list, good_list, sizeof(list));
	list[6] = 0x40000000;
	parse(list, sizeof(list), &ok);
	report(ok && machine.nr_memory == 1, "a tag longer than the list ends it");
	list[6] = 1;
	parse(list, sizeof(list), &ok);
	report(ok && machine.nr_memory == 1, "a tag shorter than its header ends it");
	list[6] = 3;
	parse(list, sizeof(list), &ok);
	report(ok && machine.nr_memory == 1, "a memory tag without a start is not taken");
}

/* One letter more than fits. */
static void check_long(void)
{
	static u32 list[6 + MAX_CMDLINE / 4] = { 2, 0x54410001, 3 + MAX_CMDLINE / 4, 0x54410009 };
	bool ok;

	memset(&list[4], 'a', MAX_CMDLINE);
	parse(list, sizeof(list), &ok);
	report(ok && strlen(machine.cmdline) == MAX_CMDLINE - 1, "a long command line is cut and terminated");
}

DEFINE_TEST(arm_atags)
{
	static struct machine saved;

	saved = machine;
	check_good();
	check_bad();
	check_long();
	machine = saved;
}
