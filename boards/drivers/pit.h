// SPDX-License-Identifier: MIT
/* The PC's interval timer (8254), channel 2, as a reference to measure other counters by. */
#pragma once

#include "base/types.h"

struct pit_measure {
	u64 tsc_hz;		/* time stamp counter */
	u64 timer_hz;		/* the counter that was passed in */
	u32 uncertainty_ppm;	/* at most, from how long taking a sample took */
};

/**
 * pit_measure() - how fast do the time stamp counter and a second counter run?
 * @timer: reads a 32-bit counter that counts down
 * @m: filled
 *
 * About 30 ms, interrupts off. Return: 0, or -ENODEV when the interval timer
 * does not count.
 */
int __must_check pit_measure(u32 (*timer)(void), struct pit_measure *m);
