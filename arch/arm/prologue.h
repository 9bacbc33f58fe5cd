// SPDX-License-Identifier: MIT
/* Functions that were stopped where their unwind table does not hold. */
#pragma once

#include "arch/arch.h"

struct moves {
	unsigned int bytes;	/* pushed since the function's entry */
	bool popped;		/* an epilogue lies between: the count says nothing */
	bool framed;		/* r11 was set from sp */
	bool lr_saved;
	unsigned int lr_at;	/* ... and so far below the entry's sp */
};

/**
 * prologue_moves() - what the straight way from one instruction to another has done to the stack
 * @entry: of a function or of a trampoline
 * @pc: where it was stopped; not executed yet
 * @m: out
 */
void prologue_moves(unsigned long entry, unsigned long pc, struct moves *m);

/**
 * prologue_step() - from an interrupted function to its caller
 * @frame: all registers right; the caller's out
 *
 * Return: false when the stack ends, or when neither its instructions nor its table tell.
 */
bool prologue_step(struct unwind_frame *frame);
