/* SPDX-License-Identifier: MIT */
/*
 * Exception vectors of EL1.
 *
 * Every entry saves all general registers as a struct pt_regs on the stack it
 * came on and calls C with x29 = its address: the unwinder finds it there.
 * FP registers are the interrupted thread's and stay untouched: all C code
 * that runs here is compiled for general registers only.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/stack.h>

	.section .entry.text, "ax"

/*
 * The frame, from sp up: x0 .. x30, interrupted sp, pc, pstate.
 */
.macro save_regs
	sub	sp, sp, #PT_REGS_SIZE
	stp	x0, x1, [sp, #16 * 0]
	stp	x2, x3, [sp, #16 * 1]
	stp	x4, x5, [sp, #16 * 2]
	stp	x6, x7, [sp, #16 * 3]
	stp	x8, x9, [sp, #16 * 4]
	stp	x10, x11, [sp, #16 * 5]
	stp	x12, x13, [sp, #16 * 6]
	stp	x14, x15, [sp, #16 * 7]
	stp	x16, x17, [sp, #16 * 8]
	stp	x18, x19, [sp, #16 * 9]
	stp	x20, x21, [sp, #16 * 10]
	stp	x22, x23, [sp, #16 * 11]
	stp	x24, x25, [sp, #16 * 12]
	stp	x26, x27, [sp, #16 * 13]
	stp	x28, x29, [sp, #16 * 14]
	add	x21, sp, #PT_REGS_SIZE
	stp	x30, x21, [sp, #16 * 15]
	mrs	x22, elr_el1
	mrs	x23, spsr_el1
	stp	x22, x23, [sp, #PT_PC]
	mov	x29, sp
.endm

/*
 * Back to the frame's context; its pc, pstate and registers may have been
 * changed, its sp not: the frame itself lies right below it.
 */
.macro restore_regs_and_return
	ldp	x22, x23, [sp, #PT_PC]
	msr	elr_el1, x22
	msr	spsr_el1, x23
	ldp	x0, x1, [sp, #16 * 0]
	ldp	x2, x3, [sp, #16 * 1]
	ldp	x4, x5, [sp, #16 * 2]
	ldp	x6, x7, [sp, #16 * 3]
	ldp	x8, x9, [sp, #16 * 4]
	ldp	x10, x11, [sp, #16 * 5]
	ldp	x12, x13, [sp, #16 * 6]
	ldp	x14, x15, [sp, #16 * 7]
	ldp	x16, x17, [sp, #16 * 8]
	ldp	x18, x19, [sp, #16 * 9]
	ldp	x20, x21, [sp, #16 * 10]
	ldp	x22, x23, [sp, #16 * 11]
	ldp	x24, x25, [sp, #16 * 12]
	ldp	x26, x27, [sp, #16 * 13]
	ldp	x28, x29, [sp, #16 * 14]
	ldr	x30, [sp, #16 * 15]
	add	sp, sp, #PT_REGS_SIZE
	eret
.endm

.macro vector target
	.balign	128
	b	\target
.endm

/* From EL1 on SP_EL0 and from EL0 nothing may come; each of those lands in bad_entry. */
	.balign	2048
SYM_CODE_START(arm64_vectors)
	vector	bad_entry		// current EL, SP_EL0: synchronous, IRQ, FIQ, SError
	vector	bad_entry
	vector	bad_entry
	vector	bad_entry
	vector	sync_entry		// current EL, SP_ELx
	vector	irq_entry
	vector	bad_entry
	vector	serror_entry
	.rept	8			// lower EL, 64 and 32 bit
	vector	bad_entry
	.endr
SYM_CODE_END(arm64_vectors)

/*
 * Synchronous exceptions: faults, BRK, SVC. The fault may be the stack's own
 * overflow into its guard page, so ask the MMU whether the frame can be written
 * before writing it. TPIDRRO_EL0 holds x0 meanwhile: EL0 does not exist here,
 * and nothing between can fault.
 */
SYM_CODE_START(sync_entry)
	msr	tpidrro_el0, x0
	sub	x0, sp, #PT_REGS_SIZE
	at	s1e1w, x0
	isb
	mrs	x0, par_el1
	tbnz	x0, #0, stack_overflow	// PAR.F: no translation
	mrs	x0, tpidrro_el0
	save_regs
	mov	x0, sp
	bl	arm64_sync
	restore_regs_and_return
SYM_CODE_END(sync_entry)

/*
 * The frame goes to this CPU's emergency stack, with the sp that was, which
 * FAR_EL1 holds meanwhile: it is the address of the fault, or next to it. x0 is
 * in TPIDRRO_EL0. Does not return.
 */
SYM_CODE_START(stack_overflow)
	mov	x0, sp
	msr	far_el1, x0
	mrs	x0, tpidr_el1
	ldr	w0, [x0, #CPU_ID]
	add	x0, x0, #1
	lsl	x0, x0, #EMERGENCY_STACK_SHIFT
	mov	sp, x0
	adrp	x0, arm64_emergency_stacks
	add	x0, x0, :lo12:arm64_emergency_stacks
	add	sp, sp, x0
	mrs	x0, tpidrro_el0
	save_regs
	mrs	x0, far_el1
	str	x0, [sp, #PT_SP]
	mov	x0, sp
	bl	arm64_stack_overflow
SYM_CODE_END(stack_overflow)

SYM_CODE_START(irq_entry)
	save_regs
	mov	x0, sp
	bl	arm64_irq
	restore_regs_and_return
SYM_CODE_END(irq_entry)

SYM_CODE_START(serror_entry)
	save_regs
	mov	x0, sp
	bl	arm64_serror
SYM_CODE_END(serror_entry)

SYM_CODE_START(bad_entry)
	save_regs
	mov	x0, sp
	bl	arm64_bad_entry
SYM_CODE_END(bad_entry)
