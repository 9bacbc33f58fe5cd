// SPDX-License-Identifier: MIT
/* The unwind tables of the Exception Handling ABI for the Arm Architecture (IHI 0038). */
#pragma once

#include "arch/arch.h"

#define WORD	4u

/* Is the word at @addr readable stack? */
static inline bool exidx_on_stack(const struct unwind_frame *frame, unsigned long addr)
{
	return addr % WORD == 0 && addr >= frame->stack_low && addr < frame->stack_high;
}

static inline unsigned long exidx_word(unsigned long addr)
{
	return *(const unsigned long *)addr;
}

/**
 * exidx_pop() - do what `pop {list}` does
 * @frame: its registers, sp and pc change
 * @list: a bit for each register
 *
 * Return: false, with @frame half changed, when the stack ends.
 */
bool exidx_pop(struct unwind_frame *frame, u32 list);

/**
 * exidx_step() - from a function whose frame stands to its caller
 * @frame: the function's registers in, the caller's out; unchanged on failure
 * @at: an address inside the function
 * @by_register: out: the frame's address comes from a register, not from sp
 *
 * Return: false when the function has no table, or one that says so.
 */
bool exidx_step(struct unwind_frame *frame, unsigned long at, bool *by_register);
