/* SPDX-License-Identifier: MIT */
/* A traced function, its caller and its op, that look at every register. */
#include <asm/linkage.h>
#include "tests/guest/arm/probe.h"

	.syntax unified
	.text

/* Every register to the words at \to; ip and the flags are lost. sp may be off by 4. */
.macro store_all to
	push	{r0-r3}
	ldr	r0, =\to
	add	r1, sp, #16
	str	r1, [r0, #PROBE_SP * 4]
	str	lr, [r0, #PROBE_LR * 4]
	mrs	r1, cpsr
	str	r1, [r0, #PROBE_FLAGS * 4]
	add	r0, r0, #16
	stmia	r0, {r4-r12}
	mov	ip, r0
	pop	{r0-r3}
	stmdb	ip, {r0-r3}
.endm

/*
 * void probe_call(const struct probe_regs *in, struct probe_regs *out, unsigned long target,
 *		   unsigned long between)
 *
 * Loads every register but sp from @in, goes to @target with probe_return as the
 * return address, and stores every register to @out there.
 * @between: @target is the second word of a site: be what its first has made of us.
 *
 *	sp + 0	out
 *	   4	r4 .. r11, lr
 */
SYM_FUNC_START(probe_call)
	.fnstart
	push	{r4-r11, lr}
	.save	{r4-r11, lr}
	str	r1, [sp, #-4]!
	.pad	#4
	ldr	r4, =probe_frame
	str	sp, [r4]
	ldr	lr, =probe_return
	cmp	r3, #0
#ifdef FLAVOUR_pg
	strne	lr, [sp, #-4]!		/* the prologue's push */
#endif
	strne	lr, [sp, #-4]!		/* the site's push */
	str	r2, [sp, #-4]!		/* the target, for pop */
	ldr	r4, [r0, #PROBE_FLAGS * 4]
	and	r4, r4, #0xf0000000	/* the J bit is one of the field */
	msr	cpsr_f, r4
	ldmia	r0, {r0-r12}
	pop	{pc}
SYM_INNER_LABEL(probe_return)
	store_all probe_returned
	ldr	r0, =probe_frame
	ldr	sp, [r0]		/* whatever the call did to sp: ours is known */
	ldr	r0, [sp]
	ldr	r1, =probe_returned
	mov	r2, #PROBE_WORDS * 4
	bl	memcpy
	add	sp, sp, #4
	pop	{r4-r11, pc}
	.ltorg
	.fnend
SYM_FUNC_END(probe_call)

/*
 * void probe_call_c(fn, shape, a): calls fn(shape, a); probe_capture() comes back by
 * probe_return, so the frame is probe_call()'s.
 */
SYM_FUNC_START(probe_call_c)
	.fnstart
	push	{r4-r11, lr}
	.save	{r4-r11, lr}
	ldr	r4, =probe_out_unused
	str	r4, [sp, #-4]!
	.pad	#4
	ldr	r4, =probe_frame
	str	sp, [r4]
	mov	ip, r0
	mov	r0, r1
	mov	r1, r2
	blx	ip
	b	probe_return
	.ltorg
	.fnend
SYM_FUNC_END(probe_call_c)

/* The traced function: what it gets goes to probe_seen; it returns two known values. */
SYM_FUNC_START(probe_function)
	.fnstart
#ifdef FLAVOUR_pg
	push	{lr}			/* sp is off by 4 at the site */
	.save	{lr}
SYM_INNER_LABEL(probe_site)
	push	{lr}
	bl	__gnu_mcount_nc
#else
SYM_INNER_LABEL(probe_site)
	nop
	nop
#endif
SYM_INNER_LABEL(probe_site_end)
	store_all probe_seen
	ldr	r0, =0x33334444
	ldr	r1, =0x77778888
#ifdef FLAVOUR_pg
	pop	{pc}
#else
	bx	lr
#endif
	.ltorg
	.fnend
SYM_FUNC_END(probe_function)

/* Where an op may let the call go on: the same with the values the other way round. */
SYM_FUNC_START(probe_elsewhere)
	.fnstart
	store_all probe_seen
	ldr	r0, =0x77778888
	ldr	r1, =0x33334444
	bx	lr
	.ltorg
	.fnend
SYM_FUNC_END(probe_elsewhere)

#ifdef FLAVOUR_pfe
	.section __patchable_function_entries, "awo", %progbits, probe_function
	.balign 4
	.long	probe_site
	.text
#endif

/* The op: probe_op_check() looks at the arguments, then all that C may clobber is. */
SYM_FUNC_START(probe_op)
	.fnstart
	push	{r4, lr}
	.save	{r4, lr}
	add	r4, sp, #8
	str	r4, [sp, #-8]!		/* fifth argument: sp at our entry */
	.pad	#8
	bl	probe_op_check
	mrs	r0, cpsr
	eor	r0, r0, #0xf0000000
	msr	cpsr_f, r0
	ldr	r0, =0xbadbadba
	mvn	r1, r0
	mov	r2, r0
	mvn	r3, r0
	mov	ip, r0
	add	sp, sp, #8
	pop	{r4, pc}
	.ltorg
	.fnend
SYM_FUNC_END(probe_op)

/*
 * From: a branch that replaced any instruction. Stores every register as it was
 * there to probe_captured, lets probe_capture_check() look, and ends the call.
 */
SYM_FUNC_START(probe_capture)
	.fnstart
	.cantunwind
	store_all probe_captured
	bic	sp, sp, #7
	bl	probe_capture_check
	b	probe_return
	.ltorg
	.fnend
SYM_FUNC_END(probe_capture)

	.bss
	.balign 8
probe_frame:
	.skip	8
probe_returned:
	.skip	PROBE_WORDS * 4
probe_out_unused:
	.skip	PROBE_WORDS * 4
	.section .note.GNU-stack, "", %progbits
