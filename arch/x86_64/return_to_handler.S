/* SPDX-License-Identifier: MIT */
/*
 * The function graph's assembly: the entry trampoline and the return path of a
 * single user as templates for fgraph.c, and return_to_handler for all others.
 *
 * Holes in the templates: a label in front of a call, or behind another field.
 */
#include <asm/linkage.h>
#include <asm/fgraph.h>
#include <generated/arch-offsets.h>

/*
 * Entry: from a site's call, right at the function's entry.
 * Keeps what trampoline.c's keep, with the same save area:
 *
 *	rsp -> r10 r9 r8 rax rcx rdx rsi rdi	fregs
 *	  64   return address behind the site
 *	  72   return address into the parent, or what is planted
 */
	.section .rodata, "a"
	.globl	fgraph_entry_template, fgraph_entry_template_end

fgraph_entry_template:
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
SYM_INNER_LABEL(fgraph_entry_body)

	// A frame of our own: taken first, then written.
	addq	$FGRAPH_FRAME_BYTES, %gs:HOST_SHADOW_SP
SYM_INNER_LABEL(fgraph_entry_write)
	movq	%gs:HOST_SHADOW_SP, %rdi
	testl	$FGRAPH_STACK_BIT, %edi
	jz	.Lslow

	movq	PARTIAL_SITE_END(%rsp), %rax
	subq	$SITE_LENGTH, %rax
	movq	%rax, FRAME_FUNC(%rdi)
	movq	PARTIAL_PARENT(%rsp), %rax
	movq	%rax, FRAME_RET(%rdi)
	.byte	0x48, 0x8d, 0x54, 0x24, 0	// leaq user(%rsp), %rdx: fregs too
SYM_INNER_LABEL(fgraph_entry_user)
	movq	%rdx, FRAME_SP(%rdi)
SYM_INNER_LABEL(fgraph_entry_commit)

	// entryfunc(ent, gops, fregs): does it want the return?
	movabsq	$0, %rsi
SYM_INNER_LABEL(fgraph_entry_gops)
SYM_INNER_LABEL(fgraph_entry_call)
	.byte	0xe8, 0, 0, 0, 0		// call entryfunc
	testl	%eax, %eax
SYM_INNER_LABEL(fgraph_entry_wanted)
	jz	.Ldrop				// jmp for a user without retfunc
	movq	$0, PARTIAL_PARENT(%rsp)
SYM_INNER_LABEL(fgraph_entry_plant)

.Lrestore:
SYM_INNER_LABEL(fgraph_entry_restore)
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rax
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	ret					// behind the site
SYM_INNER_LABEL(fgraph_entry_tail)

.Ldrop:
	subq	$FGRAPH_FRAME_BYTES, %gs:HOST_SHADOW_SP
	jmp	.Lrestore

	// No stack, or no room: fgraph_enter(ip, parent, op, fregs) sees what can be done.
.Lslow:
	subq	$FGRAPH_FRAME_BYTES, %gs:HOST_SHADOW_SP
	movq	PARTIAL_SITE_END(%rsp), %rdi
	subq	$SITE_LENGTH, %rdi
	movq	PARTIAL_PARENT(%rsp), %rsi
	movabsq	$0, %rdx
SYM_INNER_LABEL(fgraph_entry_op)
	movq	%rsp, %rcx
SYM_INNER_LABEL(fgraph_entry_slow)
	.byte	0xe8, 0, 0, 0, 0		// call fgraph_enter
	jmp	.Lrestore
fgraph_entry_template_end:

/*
 * Return: where the function's ret leads. rax and rdx are its result, rsp is the
 * parent's (a multiple of 16), everything else that a call may clobber is free.
 */
.macro frame_down
	movq	%gs:HOST_SHADOW_SP, %rdi
	movq	FRAME_RETVAL(%rdi), %rax
	movq	FRAME_RETVAL_HIGH(%rdi), %rdx
	subq	$FGRAPH_FRAME_BYTES, %gs:HOST_SHADOW_SP
	jmp	*FRAME_RET(%rdi)		// arch_fgraph_mend() knows this one
.endm

	.globl	fgraph_return_template, fgraph_return_template_end
fgraph_return_template:
	movq	%gs:HOST_SHADOW_SP, %rdi
	movq	%rax, FRAME_RETVAL(%rdi)
	movq	%rdx, FRAME_RETVAL_HIGH(%rdi)
	movabsq	$0, %rsi
SYM_INNER_LABEL(fgraph_return_gops)
SYM_INNER_LABEL(fgraph_return_call)
	.byte	0xe8, 0, 0, 0, 0		// call retfunc
	frame_down
fgraph_return_template_end:

	.text
/* The same for frames with several users. fgraph_return() may drop frames that were left behind. */
SYM_CODE_START(return_to_handler)
	movq	%gs:HOST_SHADOW_SP, %rdi
	movq	%rax, FRAME_RETVAL(%rdi)
	movq	%rdx, FRAME_RETVAL_HIGH(%rdi)
	leaq	-8(%rsp), %rdi			// where the parent's address was
	call	fgraph_return
	frame_down
SYM_INNER_LABEL(return_to_handler_end)
SYM_CODE_END(return_to_handler)

	.section .note.GNU-stack, "", @progbits
