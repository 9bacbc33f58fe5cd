/* SPDX-License-Identifier: MIT */
/*
 * The leaf op that does nothing; and how C calls a leaf.
 *
 * From: the call of a site, or of a trampoline. Out, clobbers: nothing.
 *
 *	rsp	-> address behind the call
 *	+8	   return address into the parent
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(arch_leaf_return)
	ret
SYM_FUNC_END(arch_leaf_return)

/*
 * From C. rdi: the leaf, rsi: return address into the parent, which the leaf finds
 * right above its own. It keeps all that we have to.
 */
SYM_FUNC_START(arch_leaf_call)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rsi
	call	*%rdi
	leave
	ret
SYM_FUNC_END(arch_leaf_call)

	.section .note.GNU-stack, "", %progbits
