/* SPDX-License-Identifier: MIT */
/* Context switch. A switched-out thread's stack holds the frame that port_thread_init() builds too. */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/switch.h>

	.text

/* op (stp or ldp) on all 32 vector registers at x9. */
.macro vector_regs op
	\op	q0, q1, [x9, #32 * 0]
	\op	q2, q3, [x9, #32 * 1]
	\op	q4, q5, [x9, #32 * 2]
	\op	q6, q7, [x9, #32 * 3]
	\op	q8, q9, [x9, #32 * 4]
	\op	q10, q11, [x9, #32 * 5]
	\op	q12, q13, [x9, #32 * 6]
	\op	q14, q15, [x9, #32 * 7]
	\op	q16, q17, [x9, #32 * 8]
	\op	q18, q19, [x9, #32 * 9]
	\op	q20, q21, [x9, #32 * 10]
	\op	q22, q23, [x9, #32 * 11]
	\op	q24, q25, [x9, #32 * 12]
	\op	q26, q27, [x9, #32 * 13]
	\op	q28, q29, [x9, #32 * 14]
	\op	q30, q31, [x9, #32 * 15]
.endm

/*
 * switch_to(prev, next): interrupts off; returns on next's stack.
 *
 *   sp + 0   x19 x20 ... x27 x28   callee-saved (AAPCS64)
 *   sp + 80  x29 x30               frame pointer, where it resumes
 *
 * All vector registers are kept, not the callee-saved halves alone: the switch
 * may come from an interrupt, at any instruction of the thread.
 */
SYM_FUNC_START(switch_to)
	sub	sp, sp, #SWITCH_FRAME_BYTES
	stp	x19, x20, [sp, #0]
	stp	x21, x22, [sp, #16]
	stp	x23, x24, [sp, #32]
	stp	x25, x26, [sp, #48]
	stp	x27, x28, [sp, #64]
	stp	x29, x30, [sp, #SWITCH_FRAME_FP]
	mov	x10, sp
	str	x10, [x0, #THREAD_SP]

	ldr	x9, [x0, #THREAD_FP_STATE]
	vector_regs stp
	mrs	x10, fpcr
	mrs	x11, fpsr
	add	x9, x9, #512
	stp	x10, x11, [x9]

	ldr	x9, [x1, #THREAD_FP_STATE]
	vector_regs ldp
	add	x9, x9, #512
	ldp	x10, x11, [x9]
	msr	fpcr, x10
	msr	fpsr, x11

	// The shadow stack goes with the stack.
	mrs	x10, tpidr_el0
	str	x10, [x0, #THREAD_SHADOW_SP]
	ldr	x10, [x1, #THREAD_SHADOW_SP]
	msr	tpidr_el0, x10

	ldr	x10, [x1, #THREAD_SP]
	mov	sp, x10
	ldp	x19, x20, [sp, #0]
	ldp	x21, x22, [sp, #16]
	ldp	x23, x24, [sp, #32]
	ldp	x25, x26, [sp, #48]
	ldp	x27, x28, [sp, #64]
	ldp	x29, x30, [sp, #SWITCH_FRAME_FP]
	add	sp, sp, #SWITCH_FRAME_BYTES
	ret
SYM_FUNC_END(switch_to)

/* A new thread's first instruction: no caller, so that backtraces end here. */
SYM_FUNC_START(arm64_thread_entry)
	mov	x29, xzr
	mov	x30, xzr
	b	thread_start
SYM_FUNC_END(arm64_thread_entry)
