/* SPDX-License-Identifier: MIT */
/*
 * The function of tests/guest/inside_site.c in flavour `pg`: its site lies behind a
 * prologue, and who is moved there has to know it.
 *
 * unsigned long inside_tracee(unsigned long x): counts in inside_calls; x * 5 + 3.
 *
 *	sp + 0	x29	<- x29 at the site, where x19 = x and x0 = return address
 *	   8	return address
 *	  16	x19
 */
#include <asm/linkage.h>

#ifdef FLAVOUR_pg
	.text

SYM_FUNC_START(inside_tracee)
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	str	x19, [sp, #16]
	mov	x19, x0
	mov	x0, x30
	bl	_mcount
	adrp	x1, inside_calls
	ldr	w2, [x1, :lo12:inside_calls]
	add	w2, w2, #1
	str	w2, [x1, :lo12:inside_calls]
	add	x0, x19, x19, lsl #2
	add	x0, x0, #3
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
SYM_FUNC_END(inside_tracee)
#endif

	.section .note.GNU-stack, "", %progbits
