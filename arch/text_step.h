// SPDX-License-Identifier: MIT
/*
 * Recording the steps of a text change. Each port's text.c emits a step and
 * records it by one macro, so that neither can be there without the other.
 */
#pragma once

#include "arch/arch.h"
#include "base/host.h"

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
