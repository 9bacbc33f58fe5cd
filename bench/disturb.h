// SPDX-License-Identifier: MIT
/*
 * What changing text costs a CPU that only runs on: the IPI of a round, the trap at a breakpoint.
 * In instructions, from before the event until the CPU is back at its work.
 */
#pragma once

#include "patch/site.h"

/**
 * disturb_measure() - figures of the benchmark "patch": one IPI of a round in which there is nothing to do
 * but to synchronise; and where the method uses breakpoints one that is hit and emulated
 * @recs: sites that are off, in address order; breakpoints are put on all of them and taken away
 * @nr: how many
 * @call: calls the function of one of them
 *
 * Where instructions are counted, on one CPU. Thread context, interrupts on. Return: 0; 1 when another number
 * of traps was taken than was measured, which is said.
 */
int disturb_measure(struct dyn_ftrace *const *recs, unsigned int nr, void (*call)(void));
