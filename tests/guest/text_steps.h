// SPDX-License-Identifier: MIT
/*
 * The steps of text changes, compared with what they have to be: emulators do not
 * model caches, so that no other test can miss one. Included by
 * tests/guest/<isa>/text_steps.c.
 */
#pragma once

#include "tests/test.h"

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/code_pool.h"

#define MAX_STEPS	64

static struct text_step_record step_records[MAX_STEPS];
static struct text_step_log step_log = { .capacity = MAX_STEPS, .records = step_records };

struct expected_step {
	enum text_step step;
	long offset;		/* from line_start(); -1: not for one address */
};

#define NO_ADDRESS	(-1)

static const char *const step_names[NR_TEXT_STEPS] = {
	"write", "clean D", "drain", "invalidate D", "invalidate I", "sync", "touch",
};

static bool is_step(const struct text_step_record *record, const struct expected_step *expected,
		    unsigned long base)
{
	unsigned long addr = expected->offset < 0 ? 0 : base + (unsigned long)expected->offset;

	return record->step == expected->step && record->addr == addr && record->cpu == host_cpu_id();
}

/* Exactly these steps, in this order. */
static void check_steps(const char *what, const struct expected_step *expected, unsigned int n,
			unsigned long base)
{
	unsigned int i = 0;

	while (i < n && i < step_log.count && is_step(&step_records[i], &expected[i], base))
		i++;
	if (i < n && i < step_log.count)
		report_info("step %u is `%s` 0x%lx instead of `%s`", i,
			    step_names[step_records[i].step], step_records[i].addr,
			    step_names[expected[i].step]);
	report(i == n && step_log.count == n, "%s: %u steps of %u", what, step_log.count, n);
}

#define MAX_WRITES	8
#define MAX_LINE_BYTES	64UL

/* Offsets count from here: the start of a cache line. */
static unsigned long line_start(const struct code_block *block)
{
	return ALIGN_UP(block->start, MAX_LINE_BYTES);
}

enum how { ONE_BY_ONE, AS_POKES, AS_SITES };

/*
 * Write @len bytes at each of @n offsets of @block and flush, recording.
 * @how: one by one, or as the changes or the sites of a batch
 */
static void record_writes(const struct code_block *block, const unsigned int *offsets, unsigned int n,
			  unsigned int len, enum how how)
{
	static struct text_poke pokes[MAX_WRITES];
	static struct dyn_ftrace sites[MAX_WRITES];
	unsigned long flags = host_irq_save();
	unsigned long cookie = host_text_open();

	step_log.count = 0;
	text_step_log = &step_log;
	for (unsigned int i = 0; i < n; i++) {
		pokes[i].addr = line_start(block) + offsets[i];
		pokes[i].len = len;
		sites[i].ip = pokes[i].addr;
		if (how == ONE_BY_ONE)
			arch_text_write(pokes[i].addr, pokes[i].new, len);
	}
	if (how == AS_POKES)
		arch_text_write_part(pokes, pokes + n, TEXT_PART_WHOLE);
	if (how == AS_SITES) {
		struct site_span span = { sites, sites + n, block->start };

		arch_sites_write(&span, &span + 1, TEXT_PART_WHOLE);
	}
	arch_text_flush();
	text_step_log = NULL;
	host_text_close(cookie);
	host_irq_restore(flags);
}

#define CHECK(what, block, len, how, offsets, ...) do { \
	static const unsigned int offsets_[] = offsets; \
	static const struct expected_step steps_[] = { __VA_ARGS__ }; \
	record_writes(block, offsets_, ARRAY_SIZE(offsets_), len, how); \
	check_steps(what, steps_, ARRAY_SIZE(steps_), line_start(block)); \
} while (0)

#define CHECK_WRITES(what, block, len, offsets, ...) \
	CHECK(what, block, len, ONE_BY_ONE, PASS(offsets), __VA_ARGS__)
#define CHECK_POKES(what, block, len, offsets, ...) \
	CHECK(what, block, len, AS_POKES, PASS(offsets), __VA_ARGS__)
#define CHECK_SITES(what, block, offsets, ...) \
	CHECK(what, block, ARCH_INSN_BYTES, AS_SITES, PASS(offsets), __VA_ARGS__)
#define PASS(...)	__VA_ARGS__

/* A list that goes through macros as one argument. */
#define OFFSETS(...)	OFFSETS_(__VA_ARGS__)
#define OFFSETS_(...)	{ __VA_ARGS__ }
