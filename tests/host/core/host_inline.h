// SPDX-License-Identifier: MIT
/* The host of core's unit tests: each thread of the test program is a CPU. */
#pragma once

extern __thread unsigned int fake_cpu;
extern __thread struct trace_state fake_trace_state;

static inline unsigned int host_cpu_id(void)
{
	return fake_cpu;
}

static inline struct trace_state *host_trace_state(void)
{
	return &fake_trace_state;
}

static inline unsigned long host_irq_save(void)
{
	return 0;
}

static inline void host_irq_restore(unsigned long flags)
{
}

static inline void *host_text_alias(unsigned long addr)
{
	return (void *)addr;
}
