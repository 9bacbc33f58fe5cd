/* SPDX-License-Identifier: MIT */
/* A traced function, its caller and its op, that look at every register. */
#include <asm/linkage.h>
#include "tests/guest/arm64/probe.h"

#define FRAME_BYTES	112
#define FRAME_X18	96
#define FRAME_OUT	104

	.text

/* adrp and add: \reg = address of \symbol */
.macro load_address reg, symbol
	adrp	\reg, \symbol
	add	\reg, \reg, :lo12:\symbol
.endm

/* x0 to x15 and x18 to x30 to the words at x16; sp and flags by way of x17. */
.macro store_all
	stp	x0, x1, [x16, #0 * 8]
	stp	x2, x3, [x16, #2 * 8]
	stp	x4, x5, [x16, #4 * 8]
	stp	x6, x7, [x16, #6 * 8]
	stp	x8, x9, [x16, #8 * 8]
	stp	x10, x11, [x16, #10 * 8]
	stp	x12, x13, [x16, #12 * 8]
	stp	x14, x15, [x16, #14 * 8]
	stp	x18, x19, [x16, #18 * 8]
	stp	x20, x21, [x16, #20 * 8]
	stp	x22, x23, [x16, #22 * 8]
	stp	x24, x25, [x16, #24 * 8]
	stp	x26, x27, [x16, #26 * 8]
	stp	x28, x29, [x16, #28 * 8]
	str	x30, [x16, #PROBE_LR * 8]
	mov	x17, sp
	str	x17, [x16, #PROBE_SP * 8]
	mrs	x17, nzcv
	str	x17, [x16, #PROBE_FLAGS * 8]
.endm

/*
 * void probe_call(const struct probe_regs *in, struct probe_regs *out, unsigned long target,
 *		   unsigned long between)
 *
 * Loads every register but x16, x17, x29 and sp from @in, goes to @target with
 * probe_return as the return address, and stores every register to @out there.
 * @between: @target is the second word of a site: be what its first has made of us.
 *
 *	sp + 0	x29, x30	<- x29
 *	  16	x19 .. x28
 *	  96	x18
 *	 104	out
 */
SYM_FUNC_START(probe_call)
	stp	x29, x30, [sp, #-FRAME_BYTES]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	stp	x18, x1, [sp, #FRAME_X18]
	load_address x16, probe_frame
	mov	x17, sp
	str	x17, [x16]
	mov	x17, x0
	mov	x16, x2
	ldr	x9, [x17, #PROBE_FLAGS * 8]
	msr	nzcv, x9
	adr	x30, probe_return
	ldp	x8, x9, [x17, #8 * 8]
	cbz	x3, 1f
	mov	x9, x30
1:	ldp	x0, x1, [x17, #0 * 8]
	ldp	x2, x3, [x17, #2 * 8]
	ldp	x4, x5, [x17, #4 * 8]
	ldp	x6, x7, [x17, #6 * 8]
	ldp	x10, x11, [x17, #10 * 8]
	ldp	x12, x13, [x17, #12 * 8]
	ldp	x14, x15, [x17, #14 * 8]
	ldp	x18, x19, [x17, #18 * 8]
	ldp	x20, x21, [x17, #20 * 8]
	ldp	x22, x23, [x17, #22 * 8]
	ldp	x24, x25, [x17, #24 * 8]
	ldp	x26, x27, [x17, #26 * 8]
	ldr	x28, [x17, #28 * 8]
	br	x16
SYM_INNER_LABEL(probe_return)
	load_address x16, probe_frame
	ldr	x16, [x16]
	ldr	x16, [x16, #FRAME_OUT]
	store_all
	/* Whatever the call did to sp: ours is known. */
	load_address x16, probe_frame
	ldr	x16, [x16]
	mov	sp, x16
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldr	x18, [sp, #FRAME_X18]
	ldp	x29, x30, [sp], #FRAME_BYTES
	ret
SYM_FUNC_END(probe_call)

/*
 * void probe_call_c(fn, shape, a): calls fn(shape, a); probe_capture() comes back by
 * probe_return, so the frame is probe_call()'s.
 */
SYM_FUNC_START(probe_call_c)
	stp	x29, x30, [sp, #-FRAME_BYTES]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	load_address x16, probe_out_unused
	stp	x18, x16, [sp, #FRAME_X18]
	load_address x16, probe_frame
	mov	x17, sp
	str	x17, [x16]
	mov	x9, x0
	mov	x0, x1
	mov	x1, x2
	blr	x9
	b	probe_return
SYM_FUNC_END(probe_call_c)

/* The traced function: what it gets goes to probe_seen; it returns two known values. */
SYM_FUNC_START(probe_function)
#ifdef FLAVOUR_pg
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	mov	x0, x30
SYM_INNER_LABEL(probe_site)
	bl	_mcount
#else
SYM_INNER_LABEL(probe_site)
	nop
	nop
#endif
SYM_INNER_LABEL(probe_site_end)
	load_address x16, probe_seen
	store_all
	ldr	x0, =0x1111222233334444
	ldr	x1, =0x5555666677778888
#ifdef FLAVOUR_pg
	ldp	x29, x30, [sp], #16
#endif
	ret
	.ltorg
SYM_FUNC_END(probe_function)

/* Where an op may let the call go on: the same with the values the other way round. */
SYM_FUNC_START(probe_elsewhere)
	load_address x16, probe_seen
	store_all
	ldr	x0, =0x5555666677778888
	ldr	x1, =0x1111222233334444
	ret
	.ltorg
SYM_FUNC_END(probe_elsewhere)

#ifdef FLAVOUR_pfe
	.section __patchable_function_entries, "awo", %progbits, probe_function
	.balign 8
	.quad	probe_site
	.text
#endif

/* The op: probe_op_check() looks at the arguments, then all that C may clobber is. */
SYM_FUNC_START(probe_op)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	add	x4, sp, #16
	bl	probe_op_check
	mrs	x9, nzcv
	mvn	x9, x9
	msr	nzcv, x9
	mov	x0, #0xbad
	.irp	reg, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
	add	x\reg, x0, #\reg
	.endr
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(probe_op)

/*
 * From: a branch that replaced any instruction. Stores every register as it was
 * there to probe_captured, lets probe_capture_check() look, and ends the call.
 */
SYM_FUNC_START(probe_capture)
	stp	x16, x17, [sp, #-16]!
	load_address x16, probe_captured
	store_all
	ldp	x0, x1, [sp], #16
	stp	x0, x1, [x16, #16 * 8]
	mov	x0, sp
	str	x0, [x16, #PROBE_SP * 8]
	bl	probe_capture_check
	b	probe_return
SYM_FUNC_END(probe_capture)

	.bss
	.balign 16
probe_frame:
	.skip	16
probe_out_unused:
	.skip	PROBE_WORDS * 8
	.section .note.GNU-stack, "", %progbits
