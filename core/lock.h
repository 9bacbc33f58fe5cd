// SPDX-License-Identifier: MIT
/* ftrace_mutex: records, sets, ops and filters. Taken before text_mutex. */
#pragma once

#include "base/types.h"

/**
 * ftrace_lock() - take ftrace_mutex where that is allowed
 *
 * Return: 0; -EBUSY in an interrupt, with interrupts off, in a callback, and in an interrupt
 * before SMP that came where it is held.
 */
int __must_check ftrace_lock(void);
void ftrace_unlock(void);
