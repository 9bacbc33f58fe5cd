/* SPDX-License-Identifier: MIT */
/* A traced function whose registers are all known; see trampoline_probe.h. */
#include <asm/linkage.h>

	.text

	.macro load index, reg
	movq	probe_in + 8 * \index(%rip), \reg
	.endm
	.macro store index, reg
	movq	\reg, probe_out + 8 * \index(%rip)
	.endm
	.macro store_all
	store	0, %rdi
	store	1, %rsi
	store	2, %rdx
	store	3, %rcx
	store	4, %r8
	store	5, %r9
	store	6, %rax
	store	7, %r10
	store	8, %r11
	store	9, %rbx
	store	10, %rbp
	store	11, %r12
	store	12, %r13
	store	13, %r14
	store	14, %r15
	store	16, %rsp
	pushfq
	popq	probe_out + 8 * 15(%rip)
	.endm

/*
 * probe_call: from C. Keeps the callee-saved registers on the stack, loads all
 * registers and the flags, calls the function, notes what it returned.
 */
SYM_FUNC_START(probe_call)
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	pushfq				/* the stack is 16-byte aligned now, as at the call */
	pushq	probe_in + 8 * 15(%rip)
	load	0, %rdi
	load	1, %rsi
	load	2, %rdx
	load	3, %rcx
	load	4, %r8
	load	5, %r9
	load	6, %rax
	load	7, %r10
	load	8, %r11
	load	9, %rbx
	load	10, %rbp
	load	11, %r12
	load	12, %r13
	load	13, %r14
	load	14, %r15
	popfq
	call	probe_function
SYM_INNER_LABEL(probe_parent)
	movq	%rax, probe_returned(%rip)
	movq	%rdx, probe_returned + 8(%rip)
	movq	%rbx, probe_kept(%rip)
	movq	%rbp, probe_kept + 8(%rip)
	movq	%r12, probe_kept + 16(%rip)
	movq	%r13, probe_kept + 24(%rip)
	movq	%r14, probe_kept + 32(%rip)
	movq	%r15, probe_kept + 40(%rip)
	movq	%rsp, probe_kept + 48(%rip)
	popfq				/* interrupts and single step as they were */
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
SYM_FUNC_END(probe_call)

/* The site calls by a pointer, and is a byte longer than a real one: only what lies behind it counts. */
SYM_FUNC_START(probe_function)
	call	*probe_target(%rip)
SYM_INNER_LABEL(probe_behind)
	store_all
	movabsq	$0x1234567855aa55aa, %rax
	movabsq	$0x0fedcba9a55aa55a, %rdx
	ret
SYM_FUNC_END(probe_function)

/* Where an op may let the call go on: the same with the values the other way round. */
SYM_FUNC_START(probe_elsewhere)
	store_all
	movabsq	$0x0fedcba9a55aa55a, %rax
	movabsq	$0x1234567855aa55aa, %rdx
	ret
SYM_FUNC_END(probe_elsewhere)

/* probe_op: rdi ip, rsi parent, rdx op, rcx fregs. Spoils every register an op may, and the flags. */
SYM_FUNC_START(probe_op)
	pushfq
	popq	probe_op_flags(%rip)
	movq	%rsp, probe_op_sp(%rip)
	pushq	%rbp
	movq	%rsp, %rbp
	call	probe_op_c
	movabsq	$0xdeadbeefdeadbeef, %rax
	movq	%rax, %rcx
	movq	%rax, %rdx
	movq	%rax, %rsi
	movq	%rax, %rdi
	movq	%rax, %r8
	movq	%rax, %r9
	movq	%rax, %r10
	movq	%rax, %r11
	addq	%rax, %rax
	popq	%rbp
	ret
SYM_FUNC_END(probe_op)

	.bss
	.balign	8
	.globl	probe_in, probe_out, probe_target, probe_returned, probe_kept, probe_op_sp, probe_op_flags
probe_in:	.skip 8 * 17
probe_out:	.skip 8 * 17
probe_target:	.skip 8
probe_returned:	.skip 16
probe_kept:	.skip 8 * 7
probe_op_sp:	.skip 8
probe_op_flags:	.skip 8

	.section .note.GNU-stack, "", @progbits
