// SPDX-License-Identifier: MIT
/* The record of text steps that a test asked for. */
#include "arch/text_step.h"

#include "arch/arch.h"
#include "base/atomic.h"
#include "base/host.h"

struct text_step_log *text_step_log;
unsigned long text_cache_ops;

void text_step_note(enum text_step step, unsigned long addr)
{
	struct text_step_log *log = text_step_log;
	unsigned int i = atomic_fetch_add(&log->count, 1);

	if (i < log->capacity)
		log->records[i] = (struct text_step_record){
			.step = step, .cpu = host_cpu_id(), .addr = addr,
		};
}
