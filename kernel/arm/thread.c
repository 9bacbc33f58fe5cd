// SPDX-License-Identifier: MIT
/* Threads as switch_to() leaves and finds them; the picture is in kernel/arm/switch.S. */
#include "kernel/port.h"

#include "base/string.h"
#include "kernel/thread.h"

/* What lies at the sp of a thread that does not run. */
struct switch_frame {
	unsigned long r4_r11[8];
	unsigned long ip;
	unsigned long pc;
};

static_assert(sizeof(struct switch_frame) % 8 == 0, "AAPCS: sp is a multiple of 8 at calls");

void thread_entry(void);	/* kernel/arm/switch.S */

void port_thread_init(struct thread *t)
{
	struct switch_frame *frame = (struct switch_frame *)t->stack_high - 1;

	memset(frame, 0, sizeof(*frame));
	frame->pc = (unsigned long)thread_entry;
	t->sp = (unsigned long)frame;
}

static const struct switch_frame *frame_of(const struct thread *t)
{
	return (const struct switch_frame *)t->sp;
}

unsigned long port_thread_pc(const struct thread *t)
{
	return frame_of(t)->pc;
}

unsigned long port_thread_sp(const struct thread *t)
{
	return t->sp;
}
