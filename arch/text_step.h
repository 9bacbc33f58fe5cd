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
