// SPDX-License-Identifier: MIT
/*
 * A free-running 32-bit up-counter as a 64-bit clock.
 *
 * Right as long as clock32_read() is called at least once a wrap: the tick does,
 * a hundred times a second. One CPU.
 */
#pragma once

#include "base/types.h"

struct clock32 {
	const volatile u32 *counter;
	u32 last;
	u64 total;
};

/* @counter: the register; the clock starts at 0 here. */
void clock32_init(struct clock32 *clock, const volatile u32 *counter);

/* Counts since clock32_init(), 0 before it. Any context. */
u64 clock32_read(struct clock32 *clock);
