// SPDX-License-Identifier: MIT
/*
 * Recording the steps of a text change. Each port's text.c emits a step and
 * records it by one macro, so that neither can be there without the other.
 */
#pragma once

#include "base/types.h"

/* The steps of a text change, recorded so that a test can check their order. */
enum text_step {
	TEXT_STEP_WRITE,	/* store through the alias */
	TEXT_STEP_CLEAN_D,	/* data cache line of the alias cleaned to the point of unification */
	TEXT_STEP_DRAIN,	/* data side complete: dsb, or the write buffer drained */
	TEXT_STEP_INVAL_D,	/* data cache line of the execution address invalidated (virtual caches) */
	TEXT_STEP_INVAL_I,	/* instruction cache line or whole instruction cache invalidated */
	TEXT_STEP_SYNC,		/* this CPU's pipeline: isb, cpuid or another serialising instruction */
	TEXT_STEP_TOUCH,	/* same value written again, see text_poke.h */
	NR_TEXT_STEPS,
};

struct text_step_record {
	u8 step;
	u8 cpu;
	unsigned long addr;	/* 0 when the step is not for one address */
};

/* Where steps are recorded while a test asks for it; NULL otherwise. arch/text_step.c has it. */
struct text_step_log {
	unsigned int capacity, count;	/* count goes on beyond capacity: nothing lost uncounted */
	struct text_step_record *records;
};
extern struct text_step_log *text_step_log;

/* Out of line: somebody is recording. */
void text_step_note(enum text_step step, unsigned long addr);

/*
 * Emit the instruction of a step and, where somebody records, record it: one is
 * never there without the other. @log is a constant: each routine has a copy that
 * records and one that does not, so that a step costs nothing but itself.
 */
#define STEP(log, step, addr, ...) do { \
	__asm__ volatile(__VA_ARGS__); \
	if (log) \
		text_step_note(step, addr); \
} while (0)

/**
 * text_step() - record a step that was just emitted
 * @step: what it was
 * @addr: its address, 0 when it is not for one address
 *
 * Costs a load and a branch while nobody records.
 */
static inline void text_step(enum text_step step, unsigned long addr)
{
	if (unlikely(text_step_log))
		text_step_note(step, addr);
}
