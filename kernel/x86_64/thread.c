// SPDX-License-Identifier: MIT
/*
 * The stack of a thread that is not running, as switch.S leaves it.
 */
#include "kernel/thread.h"
#include "base/string.h"
#include "kernel/port.h"

#define FXSAVE_BYTES	512
#define FXSAVE_FCW	0	/* offset of the x87 control word */
#define FXSAVE_MXCSR	24
#define FCW_DEFAULT	0x37f	/* as fninit leaves it: all exceptions masked, 64-bit precision */
#define MXCSR_DEFAULT	0x1f80

struct switch_frame {
	unsigned long r15, r14, r13, r12, bx, bp;
	unsigned long ip;
};

static_assert(THREAD_FP_BYTES >= FXSAVE_BYTES, "room for fxsave");

static const struct switch_frame *switch_frame(const struct thread *t)
{
	return (const struct switch_frame *)t->sp;
}

/*
 * thread_start() finds the stack as if it had been called: rsp is 8 below a
 * multiple of 16, the word there a return address of 0, where backtraces end.
 */
void port_thread_init(struct thread *t)
{
	unsigned long top = ALIGN_DOWN(t->stack_high, 16) - sizeof(unsigned long);
	struct switch_frame *frame = (struct switch_frame *)top - 1;
	u16 fcw = FCW_DEFAULT;
	u32 mxcsr = MXCSR_DEFAULT;

	*(unsigned long *)top = 0;
	memset(frame, 0, sizeof(*frame));
	frame->ip = (unsigned long)thread_start;
	t->sp = (unsigned long)frame;

	memset(t->fp_state, 0, FXSAVE_BYTES);
	memcpy((u8 *)t->fp_state + FXSAVE_FCW, &fcw, sizeof(fcw));
	memcpy((u8 *)t->fp_state + FXSAVE_MXCSR, &mxcsr, sizeof(mxcsr));
}

unsigned long port_thread_pc(const struct thread *t)
{
	return switch_frame(t)->ip;
}

unsigned long port_thread_sp(const struct thread *t)
{
	return t->sp;
}
