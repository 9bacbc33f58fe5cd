/* SPDX-License-Identifier: MIT */
/* See step.h. */
#include <asm/linkage.h>

#define FLAGS_TF	0x100
#define VECTOR_DEBUG	1

	.text

/* unsigned long step_call(function, a, b): a frame as C has it; interrupts are off. */
SYM_FUNC_START(step_call)
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$8, %rsp			// the stack is aligned at the call
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	pushfq
	pushfq
	orq	$FLAGS_TF, (%rsp)
	popfq					// the first trap comes behind the next instruction
	call	*%rax
	popfq
	leave
	ret
SYM_FUNC_END(step_call)

/* The debug exception: struct pt_regs as entry_common makes it. Keeps every register. */
SYM_CODE_START(step_entry)
	pushq	$0
	pushq	$VECTOR_DEBUG
	.irp	register, rdi, rsi, rdx, rcx, rax, r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15
	pushq	%\register
	.endr
	movq	%rsp, %rbp
	movq	%rsp, %rdi
	call	step_taken
	.irp	register, r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi
	popq	%\register
	.endr
	addq	$16, %rsp			// vector, error
	iretq
SYM_CODE_END(step_entry)
