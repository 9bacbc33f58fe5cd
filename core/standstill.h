// SPDX-License-Identifier: MIT
/*
 * One moment of all contexts: while anybody looks, none of them moves.
 *
 * Every CPU but the caller's is held in the interrupt that brought it, while the
 * caller's goes through what is suspended. Two looks, one after the other, would miss a
 * thread that is suspended during the first and runs during the second.
 */
#pragma once

#include "base/host.h"

/**
 * struct standstill - who is looked at, and by what
 * @running: on each CPU; @regs is what the round interrupted there, NULL on the caller's
 * @suspended: then, on the caller's CPU, for each suspended context; 0: go on
 *
 * Called with interrupts off, on several CPUs at once. They may not sleep, allocate or
 * wait for a lock that a held CPU could have.
 */
struct standstill {
	void (*running)(struct standstill *all, const struct pt_regs *regs);
	int (*suspended)(const struct host_context *ctx, void *all);
	unsigned int held, released;	/* standstill()'s own */
};

/* Look at them all, by one round of HOST_ROUND_QUIESCE. Thread context, interrupts on. */
void standstill(struct standstill *all);
