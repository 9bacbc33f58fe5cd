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

/* What a function's arguments come in. */
.macro save_arguments
	stp	x0, x1, [sp, #PARTIAL_X0]
	stp	x2, x3, [sp, #PARTIAL_X2]
	stp	x4, x5, [sp, #PARTIAL_X4]
	stp	x6, x7, [sp, #PARTIAL_X6]
.endm

.macro restore_arguments
	ldp	x0, x1, [sp, #PARTIAL_X0]
	ldp	x2, x3, [sp, #PARTIAL_X2]
	ldp	x4, x5, [sp, #PARTIAL_X4]
	ldp	x6, x7, [sp, #PARTIAL_X6]
.endm

/*
 * Entry: from a site's bl: x30 = address behind the site, x9 = return address
 * into the parent. Keeps what trampoline.c's keep, with the same save area:
 *
 *	sp ->	x29  parent	fregs
 *	  16	x0 .. x8
 *	  88	address behind the site
 *
 * x29 stays the parent's: the frame on the shadow stack has what an unwinder
 * needs. (The slow path, which may have none, makes a frame record.)
 */
	.section .rodata, "a"
	.globl	fgraph_entry_template, fgraph_entry_template_end

	.balign	8
fgraph_entry_template:
	stp	x29, x9, [sp, #-PARTIAL_BYTES]!
	save_arguments
	stp	x8, x30, [sp, #PARTIAL_X8]
SYM_INNER_LABEL(fgraph_entry_body)

	// A frame of our own: taken first, then written; x0 ends at its ent.
	mrs	x0, tpidr_el0
	add	x0, x0, #FGRAPH_FRAME_BYTES
	tbz	x0, #FGRAPH_STACK_BIT_NUMBER, .Lslow
	msr	tpidr_el0, x0
SYM_INNER_LABEL(fgraph_entry_write)
	sub	x1, x30, #SITE_LENGTH
	stp	x9, x1, [x0], #FRAME_GRAPH
	ldr	x1, .Lgops
	mov	x2, sp
	stp	x2, x1, [x0, #FRAME_SP - FRAME_GRAPH]
SYM_INNER_LABEL(fgraph_entry_commit)

	// entryfunc(ent, gops, fregs): does it want the return?
SYM_INNER_LABEL(fgraph_entry_call)
	bl	fgraph_entry_call
SYM_INNER_LABEL(fgraph_entry_wanted)
	cbz	w0, .Ldrop			// b for a user without retfunc

	restore_arguments
	ldp	x8, x9, [sp, #PARTIAL_X8]
	ldr	x30, .Lplant
	ldr	x29, [sp], #PARTIAL_BYTES
SYM_INNER_LABEL(fgraph_entry_leave)
	ret	x9				// behind the site
SYM_INNER_LABEL(fgraph_entry_tail)

.Ldrop:
	mrs	x0, tpidr_el0
	sub	x0, x0, #FGRAPH_FRAME_BYTES
	msr	tpidr_el0, x0
	add	x29, sp, #0
	b	.Lrestore

	// No stack, or no room: fgraph_enter(ip, parent, op, fregs) sees what can be done.
.Lslow:
	add	x29, sp, #0
	sub	x0, x30, #SITE_LENGTH
	mov	x1, x9
	ldr	x2, .Lop
	mov	x3, sp
SYM_INNER_LABEL(fgraph_entry_slow)
	bl	fgraph_entry_slow		// fgraph_enter
.Lrestore:
	restore_arguments
	ldp	x8, x9, [sp, #PARTIAL_X8]
	ldp	x29, x30, [sp], #PARTIAL_BYTES
SYM_INNER_LABEL(fgraph_entry_tail_leave)
	ret	x9

	.balign	8
.Lgops:	.quad	0
SYM_INNER_LABEL(fgraph_entry_gops)
.Lplant: .quad	0
SYM_INNER_LABEL(fgraph_entry_plant)
.Lop:	.quad	0
SYM_INNER_LABEL(fgraph_entry_op)
fgraph_entry_template_end:

/*
 * Return: where the function's ret leads. x0 and x1 are its result, sp and x29 the
 * parent's, everything else that a call may clobber is free.
 */
.macro frame_down
	mrs	x2, tpidr_el0
	ldp	x0, x1, [x2, #FRAME_RETVAL]
	ldr	x30, [x2], #-FGRAPH_FRAME_BYTES
	msr	tpidr_el0, x2
	ret
.endm

	.globl	fgraph_return_template, fgraph_return_template_end
	.balign	8
fgraph_return_template:
	mrs	x2, tpidr_el0
	stp	x0, x1, [x2, #FRAME_RETVAL]
	add	x0, x2, #FRAME_GRAPH
	ldr	x1, .Lreturn_gops
SYM_INNER_LABEL(fgraph_return_call)
	bl	fgraph_return_call		// retfunc(ret, gops)
	frame_down
	.balign	8
.Lreturn_gops: .quad 0
SYM_INNER_LABEL(fgraph_return_gops)
fgraph_return_template_end:

	.text
/* The same for frames with several users. fgraph_return() may drop frames that were left behind. */
SYM_CODE_START(return_to_handler)
	mrs	x2, tpidr_el0
	stp	x0, x1, [x2, #FRAME_RETVAL]
	mov	x0, sp
	bl	fgraph_return
	frame_down
SYM_INNER_LABEL(return_to_handler_end)
SYM_CODE_END(return_to_handler)

	.section .note.GNU-stack, "", %progbits
