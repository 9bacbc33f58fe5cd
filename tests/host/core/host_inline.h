// SPDX-License-Identifier: MIT
/* The host of core's unit tests: each thread of the test program is a CPU. */
#pragma once

extern __thread unsigned int fake_cpu;
extern __thread struct trace_state fake_trace_state;
extern __thread unsigned long fake_irqs_off;

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
	unsigned long before = fake_irqs_off;

	fake_irqs_off = 1;
	return before;
}

static inline void host_irq_restore(unsigned long flags)
{
	fake_irqs_off = flags;
}

static inline void *host_text_alias(unsigned long addr)
{
	return (void *)addr;
}
