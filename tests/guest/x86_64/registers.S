/* SPDX-License-Identifier: MIT */
/* See registers.h. */
#include <asm/linkage.h>

#include "kernel/x86_64/port/vector.h"

#define MXCSR_DEFAULT	0x1f80
#define MXCSR_FLUSH	0x8000		/* flush to zero: a bit without side effects here */

.macro CHECK register, offset
	leaq	\offset(%rdi), %rsi
	cmpq	%rsi, \register
	je	8f
	incq	(%rsp)
8:
.endm

.macro CHECK_XMM number
	movq	%xmm\number, %rsi
	psrldq	$8, %xmm\number
	movq	%xmm\number, %rax
	subq	%rdi, %rsi
	subq	%rdi, %rax
	subq	$(100 + \number), %rsi
	subq	$(100 + \number), %rax
	orq	%rsi, %rax
	jz	8f
	incq	(%rsp)
8:
.endm

	.text

/*
 *	rsp ->	mismatches   MXCSR   saved registers
 * rdi = seed and rsi = stop are checked by being used.
 */
SYM_FUNC_START(spin_with_pattern)
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$8, %rsp
	pushq	$0

	movl	%edi, %eax
	andl	$1, %eax
	imull	$MXCSR_FLUSH, %eax, %eax
	orl	$MXCSR_DEFAULT, %eax
	movl	%eax, 8(%rsp)
	ldmxcsr	8(%rsp)

.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	leaq	(100 + \n)(%rdi), %rax
	movq	%rax, %xmm\n
	punpcklqdq %xmm\n, %xmm\n
.endr
	leaq	1(%rdi), %rax
	leaq	2(%rdi), %rbx
	leaq	3(%rdi), %rcx
	leaq	4(%rdi), %rdx
	leaq	5(%rdi), %rbp
	leaq	8(%rdi), %r8
	leaq	9(%rdi), %r9
	leaq	10(%rdi), %r10
	leaq	11(%rdi), %r11
	leaq	12(%rdi), %r12
	leaq	13(%rdi), %r13
	leaq	14(%rdi), %r14
	leaq	15(%rdi), %r15
	// A pause is slow in an emulator, and without any other CPUs may wait for their turn.
1:	pause
.rept	256
	nop
.endr
	cmpl	$0, (%rsi)
	je	1b

	CHECK	%rax, 1
	CHECK	%rbx, 2
	CHECK	%rcx, 3
	CHECK	%rdx, 4
	CHECK	%rbp, 5
	CHECK	%r8, 8
	CHECK	%r9, 9
	CHECK	%r10, 10
	CHECK	%r11, 11
	CHECK	%r12, 12
	CHECK	%r13, 13
	CHECK	%r14, 14
	CHECK	%r15, 15
.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	CHECK_XMM \n
.endr
	stmxcsr	12(%rsp)
	movl	8(%rsp), %eax
	cmpl	%eax, 12(%rsp)
	je	2f
	incq	(%rsp)
2:	movl	$MXCSR_DEFAULT, 8(%rsp)
	ldmxcsr	8(%rsp)

	popq	%rax
	addq	$8, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
SYM_FUNC_END(spin_with_pattern)

SYM_FUNC_START(soft_irq_shifted)
	pushq	%rbp
	movq	%rsp, %rbp
	subq	%rdx, %rsp
	std
	int	$VECTOR_SOFT
	pushfq
	cld
	popq	%rax
	leave
	ret
SYM_FUNC_END(soft_irq_shifted)
