// SPDX-License-Identifier: MIT
/*
 * What changing text costs a CPU that only runs on: the IPI of a round, the trap at a breakpoint.
 * In instructions, from before the event until the CPU is back at its work; where they are counted,
 * on one CPU. Thread context, interrupts on.
 */
#pragma once

#include "base/types.h"
#include "patch/site.h"

/* One IPI of a round in which there is nothing to do but to synchronise. */
u64 disturb_ipi_insns(void);

/**
 * disturb_trap_insns() - one breakpoint that is hit and emulated
 * @recs: sites that are off, in address order; breakpoints are put on all of them and taken away
 * @nr: how many
 * @call: calls the function of one of them
 *
 * Return: 0 where no method uses breakpoints, or the batch did not open.
 */
u64 disturb_trap_insns(struct dyn_ftrace *const *recs, unsigned int nr, void (*call)(void));
