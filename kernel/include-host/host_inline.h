// SPDX-License-Identifier: MIT
/* Our kernel's hot-path answers to base/host.h. */
#pragma once

#include <port/cpu.h>

static always_inline unsigned int host_cpu_id(void)
{
	return cpu_id();
}

/* struct thread begins with its trace state (kernel/thread.h asserts it). */
static always_inline struct trace_state *host_trace_state(void)
{
	return (struct trace_state *)current();
}

static always_inline unsigned long host_irq_save(void)
{
	return irq_save();
}

static always_inline void host_irq_restore(unsigned long flags)
{
	irq_restore(flags);
}

static always_inline void *host_text_alias(unsigned long addr)
{
	return text_alias(addr);
}
