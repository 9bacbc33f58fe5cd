/* SPDX-License-Identifier: MIT */
/*
 * Where exceptions and interrupts come in: 256 stubs, one common path.
 *
 * All gates are interrupt gates; no IST but for the double fault, since we never
 * leave ring 0. The processor aligns the stack to 16 before it pushes, so that
 * the whole frame is aligned too:
 *
 *	interrupted rsp ->	...
 *				ss  rsp  rflags  cs  rip	pushed by the processor
 *				error				by it, or 0 by the stub
 *				vector				by the stub
 *				rdi rsi rdx rcx rax r8-r11	by entry_common
 *				rbx rbp r12-r15
 *	rsp, rbp ->		struct pt_regs
 *
 * The unwinder rests on rbp = the frame while pc is in this section.
 */
#include <asm/linkage.h>

#include "kernel/x86_64/port/vector.h"

/* Exceptions that bring an error code of their own: 8, 10-14, 17, 21, 29, 30. */
#define HAS_ERROR_CODE		0x60227d00

	.section .entry.text, "ax"

/* Each stub starts at a multiple of 16 bytes from the table's start. */
	.balign	16
SYM_CODE_START(vector_stubs)
vector = 0
.rept	256
	.balign	16
.if	vector == VECTOR_BREAKPOINT
	jmp	entry_breakpoint
.else
.if	vector >= NR_EXCEPTIONS || !((HAS_ERROR_CODE >> (vector & 31)) & 1)
	pushq	$0
.endif
	pushq	$vector
	jmp	entry_common
.endif
vector = vector + 1
.endr
SYM_CODE_END(vector_stubs)

/*
 * entry_breakpoint: an int3, in any context
 * The frame is copied 48 bytes down, so that arch_emulate() may push a return
 * address onto the interrupted stack without writing over what iretq will read.
 */
SYM_CODE_START(entry_breakpoint)
	pushq	$0
.rept	6
	pushq	40(%rsp)
.endr
	pushq	$VECTOR_BREAKPOINT
	jmp	entry_common
SYM_CODE_END(entry_breakpoint)

SYM_CODE_START(entry_common)
	cld
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%rax
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15

	movq	%rsp, %rbp
	movq	%rsp, %rdi
	call	trap_entry

	// C keeps rbp and rsp; the frame may have been changed on purpose.
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rax
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	addq	$16, %rsp			// vector, error
	iretq
SYM_CODE_END(entry_common)
