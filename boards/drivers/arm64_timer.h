// SPDX-License-Identifier: MIT
/* The Arm generic timer: virtual counter as clock, virtual timer as tick. */
#pragma once

#include "base/types.h"

u64 arm64_timer_count(void);
u64 arm64_timer_hz(void);

/*
 * This CPU's timer interrupt from now on @hz times a second, at the same moments
 * on all CPUs. The interrupt itself is the controller's to enable.
 */
void arm64_timer_start(unsigned int hz);

/* The interrupt came: set the next one a whole number of periods behind it, so that no drift adds up. */
void arm64_timer_again(void);

/**
 * arm64_timer_share() - last thing in the tick: give way, unless it is our turn
 * @part: this CPU's place among @parts, 0 ..
 * @parts: how many share the machine
 *
 * QEMU under icount runs one CPU until a timer expires, then begins with the
 * first one again: a busy CPU 0 would keep all others from running. So at each
 * tick all but one CPU end their turn (YIELD), now this one, now that. No more
 * than a hint elsewhere.
 */
void arm64_timer_share(unsigned int part, unsigned int parts);
