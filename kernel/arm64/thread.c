// SPDX-License-Identifier: MIT
/* A thread that is not running: its first frame, and what its frame says. */
#include "kernel/port.h"

#include "base/string.h"
#include "kernel/thread.h"

#include <port/switch.h>

static_assert(sizeof(struct switch_frame) == SWITCH_FRAME_BYTES, "switch.S saves what we read");
static_assert(offsetof(struct switch_frame, fp) == SWITCH_FRAME_FP, "switch.S saves what we read");
static_assert(THREAD_FP_BYTES >= 32 * 16 + 2 * 8, "vector registers, fpcr, fpsr");

static const struct switch_frame *frame_of(const struct thread *t)
{
	return (const struct switch_frame *)t->sp;
}

void port_thread_init(struct thread *t)
{
	struct switch_frame *frame = (void *)(ALIGN_DOWN(t->stack_high, 16ul) - sizeof(*frame));

	memset(frame, 0, sizeof(*frame));
	frame->pc = (unsigned long)arm64_thread_entry;
	t->sp = (unsigned long)frame;
	memset(t->fp_state, 0, THREAD_FP_BYTES);
}

unsigned long port_thread_pc(const struct thread *t)
{
	return frame_of(t)->pc;
}

unsigned long port_thread_sp(const struct thread *t)
{
	return t->sp;
}
