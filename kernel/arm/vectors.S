/* SPDX-License-Identifier: MIT */
/*
 * Exception vectors and entry code (ARM ARM DDI 0100I, A2.6).
 *
 * Everything runs in SVC mode. The other exception modes own no stack, only a
 * save area of six words that their sp points to and that never nests: they put
 * five registers and the status there and go to SVC mode at once, interrupts
 * still off. There the frame is built on the stack of what was interrupted:
 *
 *	interrupted sp	-> +--------------------+  (any multiple of 4)
 *			   | 0 or 4 bytes	|
 *	sp + REGS_SIZE	-> +--------------------+
 *			   | struct pt_regs	|
 *	sp		-> +--------------------+  (a multiple of 8)
 *
 * C is called with sp and r0 = the frame, which is how the unwinder finds it.
 * pc in the frame is the address to go back to: the next instruction after an
 * interrupt or SWI, the instruction itself after a fault.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/entry.h>

/* A save area: r0-r3, the address to go back to, the interrupted CPSR. */
#define SAVE_CPSR	20
#define SAVE_BYTES	24

/* A data abort that leaves less stack than this is reported on the fault stack. */
#define FAULT_ROOM	2048
#define FAULT_STACK	8192

/* Entry code is where every backtrace changes to the saved frame: no unwind table. */
.macro ENTRY name
SYM_CODE_START(\name)
	.fnstart
.endm
.macro ENTRY_END name
	.cantunwind
	.fnend
SYM_CODE_END(\name)
.endm

/* In an exception mode: save what SVC mode would not see. lr points \adjust bytes too far. */
.macro LEAVE_EXCEPTION_MODE adjust
	.if	\adjust
	sub	lr, lr, #\adjust
	.endif
	stmia	sp, {r0-r3, lr}
	mrs	r1, spsr
	str	r1, [sp, #SAVE_CPSR]
	mov	r0, sp
	msr	cpsr_c, #MODE_SVC | IRQ_FIQ_OFF
.endm

/* r0 = save area, r3 = interrupted sp, sp = where to build below; clobbers r1, r4-r9 once saved. */
.macro BUILD_FRAME
	bic	sp, sp, #7
	sub	sp, sp, #REGS_SIZE
	add	r1, sp, #REGS_R4
	stmia	r1, {r4-r12}
	str	r3, [sp, #REGS_SP]
	str	lr, [sp, #REGS_LR]
	ldmia	r0, {r4-r9}
	stmia	sp, {r4-r7}
	str	r8, [sp, #REGS_PC]
	str	r9, [sp, #REGS_CPSR]
.endm

.macro CALL_C handler
	mov	r0, sp
	bl	\handler
	b	entry_return
.endm

	.section .entry.text, "ax"

/*
 * Mapped at 0xffff0000 as well (SCTLR.V), so that page 0 can stay unmapped:
 * position-independent, the handlers' addresses come from the words behind.
 */
	.balign	4096
ENTRY arm_vectors
	ldr	pc, [pc, #24]		// reset
	ldr	pc, [pc, #24]		// undefined instruction
	ldr	pc, [pc, #24]		// SWI
	ldr	pc, [pc, #24]		// prefetch abort
	ldr	pc, [pc, #24]		// data abort
	ldr	pc, [pc, #24]		// reserved
	ldr	pc, [pc, #24]		// IRQ
	ldr	pc, [pc, #24]		// FIQ
	.word	entry_never
	.word	entry_undefined
	.word	entry_svc
	.word	entry_prefetch_abort
	.word	entry_data_abort
	.word	entry_never
	.word	entry_irq
	.word	entry_never
	.globl	arm_vectors_end
arm_vectors_end:
ENTRY_END arm_vectors

ENTRY entry_irq
	LEAVE_EXCEPTION_MODE 4
	mov	r3, sp
	BUILD_FRAME
	CALL_C	trap_irq
ENTRY_END entry_irq

ENTRY entry_undefined
	LEAVE_EXCEPTION_MODE 4
	mov	r3, sp
	BUILD_FRAME
	CALL_C	trap_undefined
ENTRY_END entry_undefined

ENTRY entry_prefetch_abort
	LEAVE_EXCEPTION_MODE 4
	mov	r3, sp
	BUILD_FRAME
	CALL_C	trap_prefetch_abort
ENTRY_END entry_prefetch_abort

/*
 * The stack itself may be what faulted: when sp lies outside the thread's stack
 * or close to its guard page, the frame goes to a stack of its own. A fault that
 * comes while that one is in use goes on below.
 */
ENTRY entry_data_abort
	LEAVE_EXCEPTION_MODE 8
	mov	r3, sp
	ldr	r1, =current_thread
	ldr	r1, [r1]
	ldr	r2, [r1, #THREAD_STACK_LOW]
	ldr	r1, [r1, #THREAD_STACK_HIGH]
	add	r2, r2, #FAULT_ROOM
	cmp	sp, r2
	cmphs	r1, sp
	bhs	1f
	/* Not there: on the fault stack already, or on none. */
	ldr	r1, =fault_stack_top
	sub	r2, r1, #FAULT_STACK
	cmp	sp, r2
	cmphs	r1, sp
	movlo	sp, r1
1:	BUILD_FRAME
	CALL_C	trap_data_abort
ENTRY_END entry_data_abort

/*
 * A SWI comes from SVC mode and goes there: lr was the caller's and is lost, so
 * who makes one lists it as clobbered. The save area lies below any frame that
 * BUILD_FRAME makes; nothing can come between while interrupts are off.
 */
#define SVC_SAVE_BELOW	128
ENTRY entry_svc
	sub	sp, sp, #SVC_SAVE_BELOW
	stmia	sp, {r0-r3, lr}
	mrs	r1, spsr
	str	r1, [sp, #SAVE_CPSR]
	mov	r0, sp
	add	sp, sp, #SVC_SAVE_BELOW
	mov	r3, sp
	BUILD_FRAME
	CALL_C	trap_svc
ENTRY_END entry_svc

/*
 * In: sp = frame, interrupts off. One instruction restores everything, so
 * nothing can come in when sp is above the frame already.
 */
ENTRY entry_return
	ldr	r0, [sp, #REGS_CPSR]
	msr	spsr_cxsf, r0
	ldmia	sp, {r0-r12, sp, lr, pc}^
ENTRY_END entry_return

/* Reset and FIQ: nobody branches to the one, the other stays masked. */
ENTRY entry_never
	b	entry_never
ENTRY_END entry_never
	.ltorg

	.bss
	.balign	8
	.globl	entry_save_irq, entry_save_abort, entry_save_undefined
entry_save_irq:
	.space	SAVE_BYTES
entry_save_abort:
	.space	SAVE_BYTES
entry_save_undefined:
	.space	SAVE_BYTES
	.balign	8
	.space	FAULT_STACK
fault_stack_top:
