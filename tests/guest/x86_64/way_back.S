/* SPDX-License-Identifier: MIT */
/* way_back.h on x86-64: r11 alone is dead at a function's entry. */
#include <asm/linkage.h>

.macro enter_and_wait
	movl	$1, way_back(%rip)
1:	pause
	cmpl	$0, way_back + 4(%rip)
	je	1b
	movl	$1, way_back + 8(%rip)
.endm

	.text

SYM_FUNC_START(way_back_leaf)
	popq	%r11
	enter_and_wait
	jmp	*%r11
SYM_FUNC_END(way_back_leaf)

SYM_FUNC_START(way_back_direct)
	enter_and_wait
	jmp	arch_leaf_return
SYM_FUNC_END(way_back_direct)

SYM_FUNC_START(way_back_callee)
	enter_and_wait
	ret
SYM_FUNC_END(way_back_callee)

SYM_FUNC_START(way_back_nowhere)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	.irp	reg, rax, rbx, rcx, r8, r9, r10, r11, r12, r13, r14, r15
	movq	%rdi, %\reg
	.endr
	movl	$1, (%rdx)
	movq	%rdi, %rdx
1:	pause
	cmpl	$0, (%rsi)
	je	1b
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
SYM_FUNC_END(way_back_nowhere)

	.section .note.GNU-stack, "", %progbits
