// SPDX-License-Identifier: MIT
/*
 * The steps of text changes, compared with what they have to be: emulators do not
 * model caches, so that no other test can miss one. Included by
 * tests/guest/<isa>/text_steps.c.
 */
#pragma once

#include "tests/test.h"

#include "arch/arch.h"
#include "base/host.h"
#include "base/string.h"
#include "patch/code_pool.h"

#define MAX_STEPS	64

static struct text_step_record step_records[MAX_STEPS];
static struct text_step_log step_log = { .capacity = MAX_STEPS, .records = step_records };

struct expected_step {
	enum text_step step;
	long offset;		/* from the block; -1: not for one address */
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

/* Write @len bytes at each of @n offsets of @block and flush, recording. */
static void record_writes(const struct code_block *block, const unsigned int *offsets, unsigned int n,
			  unsigned int len)
{
	static const u8 bytes[ARCH_INSN_BYTES];
	unsigned long flags = host_irq_save();
	unsigned long cookie = host_text_open();

	step_log.count = 0;
	text_step_log = &step_log;
	for (unsigned int i = 0; i < n; i++)
		arch_text_write(block->start + offsets[i], bytes, len);
	arch_text_flush();
	text_step_log = NULL;
	host_text_close(cookie);
	host_irq_restore(flags);
}

#define CHECK_WRITES(what, block, len, offsets, ...) do { \
	static const unsigned int offsets_[] = offsets; \
	static const struct expected_step steps_[] = { __VA_ARGS__ }; \
	record_writes(block, offsets_, ARRAY_SIZE(offsets_), len); \
	check_steps(what, steps_, ARRAY_SIZE(steps_), (block)->start); \
} while (0)

#define OFFSETS(...)	{ __VA_ARGS__ }
