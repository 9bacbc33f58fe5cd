// SPDX-License-Identifier: MIT
/* The host's tests as a host: hot-path answers, each a call into fake.c. */
#pragma once

unsigned int host_cpu_id(void);
struct trace_state *host_trace_state(void);
unsigned long host_irq_save(void);
void host_irq_restore(unsigned long flags);
void *host_text_alias(unsigned long addr);
