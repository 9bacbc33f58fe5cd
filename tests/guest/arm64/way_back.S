/* SPDX-License-Identifier: MIT */
/* way_back.h on arm64: x9 to x17 are dead at a function's entry, x9 is the parent's there. */
#include <asm/linkage.h>

.macro enter_and_wait
	ldr	x11, =way_back
	mov	w12, #1
	str	w12, [x11]
1:	yield
	ldr	w12, [x11, #4]
	cbz	w12, 1b
	str	w12, [x11, #8]
.endm

	.text

SYM_FUNC_START(way_back_leaf)
	mov	x16, x30
#ifdef FLAVOUR_pg
	mov	x17, x0
#else
	mov	x17, x9
#endif
	mov	x30, xzr
	mov	x9, xzr
	enter_and_wait
	mov	x30, x17
	ret	x16
SYM_FUNC_END(way_back_leaf)

SYM_FUNC_START(way_back_direct)
	enter_and_wait
	b	arch_leaf_return
SYM_FUNC_END(way_back_direct)

SYM_FUNC_START(way_back_callee)
	enter_and_wait
	ret
SYM_FUNC_END(way_back_callee)

SYM_FUNC_START(way_back_nowhere)
	stp	x29, x30, [sp, #-96]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	.irp	n, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,19,20,21,22,23,24,25,26,27,28
	mov	x\n, x0
	.endr
	mov	w3, #1
	str	w3, [x2]
	mov	x2, x0
	mov	x3, x0
1:	yield
	ldr	w0, [x1]
	cbz	w0, 1b
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret
SYM_FUNC_END(way_back_nowhere)

	.section .note.GNU-stack, "", %progbits
