// SPDX-License-Identifier: MIT
/* The Arm generic timer: virtual counter as clock, virtual timer as tick. */
#pragma once

#include "base/types.h"

u64 arm64_timer_count(void);
u64 arm64_timer_hz(void);

/* This CPU's timer interrupt from now on @hz times a second; the interrupt itself is the controller's to enable. */
void arm64_timer_start(unsigned int hz);

/* The interrupt came: set the next one a whole number of periods behind it, so that no drift adds up. */
void arm64_timer_again(void);
