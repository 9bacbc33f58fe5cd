/* SPDX-License-Identifier: MIT */
/* way_back.h on ARMv5: no register but lr is free at a function's entry. */
#include <asm/linkage.h>

.macro enter_and_wait at, value
	ldr	\at, =way_back
	mov	\value, #1
	str	\value, [\at]
1:	ldr	\value, [\at, #4]
	cmp	\value, #0
	beq	1b
	str	\value, [\at, #8]
.endm

	.text

/* [sp]: return address into the parent. */
SYM_FUNC_START(way_back_leaf)
	.fnstart
	.cantunwind
	push	{r0-r3}
	ldr	r0, [sp, #16]
	mov	r1, lr
	mov	lr, #0
	str	lr, [sp, #16]
	enter_and_wait r2, r3
	mov	lr, r0
	str	r1, [sp, #16]
	pop	{r0-r3}
	ldr	pc, [sp], #4
	.fnend
SYM_FUNC_END(way_back_leaf)

SYM_FUNC_START(way_back_direct)
	.fnstart
	.cantunwind
	push	{r0, r1}
	enter_and_wait r0, r1
	pop	{r0, r1}
	b	arch_leaf_return
	.fnend
SYM_FUNC_END(way_back_direct)

SYM_FUNC_START(way_back_callee)
	.fnstart
	.cantunwind
	enter_and_wait r0, r1
	bx	lr
	.fnend
SYM_FUNC_END(way_back_callee)

SYM_FUNC_START(way_back_nowhere)
	.fnstart
	.save	{r4-r11, lr}
	push	{r4-r11, lr}
	.irp	reg, r4, r5, r6, r7, r8, r9, r10, r11, ip
	mov	\reg, r0
	.endr
	mov	r3, #1
	str	r3, [r2]
	mov	r2, r0
	mov	r3, r0
1:	ldr	r0, [r1]
	cmp	r0, #0
	beq	1b
	pop	{r4-r11, pc}
	.fnend
SYM_FUNC_END(way_back_nowhere)

	.ltorg
	.section .note.GNU-stack, "", %progbits
