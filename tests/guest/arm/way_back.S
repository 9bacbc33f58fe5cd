/* SPDX-License-Identifier: MIT */
/* way_back.h on ARMv5: no register but lr is free at a function's entry. */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(way_back_leaf)
	.fnstart
	.cantunwind
	push	{r0, r1}
	ldr	r1, =way_back
	mov	r0, #1
	str	r0, [r1]
1:	ldr	r0, [r1, #4]
	cmp	r0, #0
	beq	1b
	ldr	r0, [sp, #8]
	str	lr, [sp, #8]
	mov	lr, r0				// the parent's, as the leaf returns
2:	ldr	r0, [r1, #8]
	cmp	r0, #0
	beq	2b
	str	r0, [r1, #12]
	pop	{r0, r1}
	ldr	pc, [sp], #4
	.fnend
SYM_FUNC_END(way_back_leaf)

SYM_FUNC_START(way_back_callee)
	.fnstart
	.cantunwind
	ldr	r1, =way_back
	mov	r0, #1
	str	r0, [r1]
3:	ldr	r0, [r1, #8]
	cmp	r0, #0
	beq	3b
	str	r0, [r1, #12]
	bx	lr
	.fnend
SYM_FUNC_END(way_back_callee)

SYM_FUNC_START(way_back_nowhere)
	.fnstart
	.save	{r4-r11, lr}
	push	{r4-r11, lr}
	.irp	reg, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, ip
	mov	\reg, r0
	.endr
4:	ldr	r0, [r1]
	cmp	r0, #0
	beq	4b
	pop	{r4-r11, pc}
	.fnend
SYM_FUNC_END(way_back_nowhere)

	.ltorg
	.section .note.GNU-stack, "", %progbits
