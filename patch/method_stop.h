// SPDX-License-Identifier: MIT
/* All CPUs parked in one round, for methods that need it for some of their changes. */
#pragma once

#include "patch/method.h"

/**
 * text_poke_stopped() - write while all other CPUs are parked
 * @batch: the batch
 * @fn: writes [first, end) of it; runs once, text open, interrupts off
 *
 * One round. Nothing in it allocates, locks or calls traced code.
 */
void text_poke_stopped(const struct text_poke_batch *batch, text_poke_slice_fn fn);
