// SPDX-License-Identifier: MIT
/*
 * The superloop's hot-path answers to base/host.h: one CPU, one context, no
 * interrupts, text writable where it is.
 */
#pragma once

extern struct trace_state superloop_trace_state;

static always_inline unsigned int host_cpu_id(void)
{
	return 0;
}

static always_inline struct trace_state *host_trace_state(void)
{
	return &superloop_trace_state;
}

/* Interrupts are never on. */
static always_inline unsigned long host_irq_save(void)
{
	return 0;
}

static always_inline void host_irq_restore(unsigned long flags)
{
	(void)flags;
}

static always_inline void *host_text_alias(unsigned long addr)
{
	return (void *)addr;
}
