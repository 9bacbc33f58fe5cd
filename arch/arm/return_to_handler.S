/* SPDX-License-Identifier: MIT */
/*
 * The function graph's assembly: the entry trampoline and the return path of a
 * single user as templates for fgraph.c, and return_to_handler for all others.
 *
 * Holes in the templates: literals behind the code, and the labelled branches.
 */
#include <asm/linkage.h>
#include <asm/fgraph.h>
#include <generated/arch-offsets.h>

/*
 * Entry: from a site's `push {lr}; bl`: lr = address behind the site. Keeps what
 * trampoline.c's keep. The two upper words stay as the site and the push leave
 * them, the other way round than in struct arm_partial_regs, which saves their
 * exchange; bit 1 of fregs says so.
 *
 *	sp ->	r0 .. r4 ip	fregs
 *	  24	address behind the site
 *	  28	return address into the parent
 *
 * Unwinding knows by the pop ahead whether the frame stands (unwind.c).
 */
	.section .rodata, "a"
	.globl	fgraph_entry_template, fgraph_entry_template_end

	.balign	8
fgraph_entry_template:
	push	{r0-r4, ip, lr}
SYM_INNER_LABEL(fgraph_entry_body)
	ldr	r3, [sp, #GRAPH_PARENT]

	// A frame of our own: taken first, then written.
	ldr	r4, .Lshadow
	ldr	r0, [r4]
	add	r0, r0, #FGRAPH_FRAME_BYTES
	tst	r0, #FGRAPH_STACK_BIT
	beq	.Lslow
	str	r0, [r4]
SYM_INNER_LABEL(fgraph_entry_write)
	sub	lr, lr, #SITE_LENGTH
	ldr	r1, .Lgops
	add	r2, sp, #FTRACE_REGS_GRAPH
	stmda	r0, {r1, r2, r3, lr}		// gops, sp, ret, func
SYM_INNER_LABEL(fgraph_entry_commit)

	// entryfunc(ent, gops, fregs): does it want the return?
SYM_INNER_LABEL(fgraph_entry_call)
	bl	fgraph_entry_template
	cmp	r0, #0
SYM_INNER_LABEL(fgraph_entry_wanted)
	beq	.Ldrop				// b for a user without retfunc

	pop	{r0-r4, ip}
	ldr	lr, .Lplant
	ldr	pc, [sp], #PARTIAL_BYTES - GRAPH_SITE_END	// behind the site

	// No stack, or no room: fgraph_enter(ip, parent, op, fregs) sees what can be done.
.Lslow:
	sub	r0, lr, #SITE_LENGTH
	mov	r1, r3
	ldr	r2, .Lop
	add	r3, sp, #FTRACE_REGS_GRAPH
SYM_INNER_LABEL(fgraph_entry_slow)
	bl	fgraph_entry_template
	b	.Lrestore

.Ldrop:
	ldr	r0, [r4]
	sub	r0, r0, #FGRAPH_FRAME_BYTES
	str	r0, [r4]
.Lrestore:
	pop	{r0-r4, ip}
	ldr	lr, [sp, #GRAPH_PARENT - GRAPH_SITE_END]
SYM_INNER_LABEL(fgraph_entry_leave)
	ldr	pc, [sp], #PARTIAL_BYTES - GRAPH_SITE_END

.Lshadow: .word	arm_shadow_sp
.Lgops:	.word	0
SYM_INNER_LABEL(fgraph_entry_gops)
.Lplant: .word	0
SYM_INNER_LABEL(fgraph_entry_plant)
.Lop:	.word	0
SYM_INNER_LABEL(fgraph_entry_op)
fgraph_entry_template_end:

/*
 * Return: where the function's return leads. r0 and r1 are its result, sp is the
 * parent's (a multiple of 8), r2, r3, ip and lr are free.
 */
.macro frame_up shadow
	ldr	r3, \shadow
	ldr	r2, [r3]
	strd	r0, [r2, #POINTER_RETVAL]
.endm

.macro frame_down
	ldr	lr, [r2, #POINTER_RET]
	sub	r2, r2, #FGRAPH_FRAME_BYTES
	str	r2, [r3]
	bx	lr
.endm

	.globl	fgraph_return_template, fgraph_return_template_end
	.balign	8
fgraph_return_template:
	frame_up .Lreturn_shadow
	push	{r0-r3}
	mov	r0, r2
	ldr	r1, .Lreturn_gops
SYM_INNER_LABEL(fgraph_return_call)
	bl	fgraph_return_template		// retfunc(ret, gops)
	pop	{r0-r3}
	frame_down
.Lreturn_shadow: .word arm_shadow_sp
.Lreturn_gops: .word 0
SYM_INNER_LABEL(fgraph_return_gops)
fgraph_return_template_end:

	.text
/* The same for frames with several users. fgraph_return() may drop frames that were left behind. */
SYM_CODE_START(return_to_handler)
	.fnstart
	.cantunwind				// stacktrace.c knows the way
	frame_up .Lshared_shadow
	push	{r0-r3}
	add	r0, sp, #16
	bl	fgraph_return
	pop	{r0-r3}
	ldr	r2, [r3]			// frames may have been dropped
	frame_down
	.fnend
SYM_INNER_LABEL(return_to_handler_end)
.Lshared_shadow: .word arm_shadow_sp
SYM_CODE_END(return_to_handler)

	.bss
	.globl	arm_shadow_sp
	.type	arm_shadow_sp, %object
	.balign	4
arm_shadow_sp:
	.space	4
	.size	arm_shadow_sp, 4

	.section .note.GNU-stack, "", %progbits
