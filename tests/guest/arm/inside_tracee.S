/* SPDX-License-Identifier: MIT */
/*
 * The function of tests/guest/inside_site.c in flavour `pg`: its site lies behind a
 * prologue, and who is moved there has to know it.
 *
 * unsigned long inside_tracee(unsigned long x): counts in inside_calls; x * 5 + 3.
 *
 *	sp + 0	r4	at the site, where r4 = x and lr is still the return address
 *	   4	lr
 */
#include <asm/linkage.h>

#ifdef FLAVOUR_pg
	.syntax unified
	.text

SYM_FUNC_START(inside_tracee)
	.fnstart
	push	{r4, lr}
	.save	{r4, lr}
	mov	r4, r0
	push	{lr}
	bl	__gnu_mcount_nc
	ldr	r1, =inside_calls
	ldr	r2, [r1]
	add	r2, r2, #1
	str	r2, [r1]
	add	r0, r4, r4, lsl #2
	add	r0, r0, #3
	pop	{r4, pc}
	.ltorg
	.fnend
SYM_FUNC_END(inside_tracee)
#endif

	.section .note.GNU-stack, "", %progbits
