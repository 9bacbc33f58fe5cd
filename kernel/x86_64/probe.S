/* SPDX-License-Identifier: MIT */
/*
 * Accesses that may fault; see kernel/fault.h.
 *
 * The fixup is armed per CPU, so interrupts are off from arming to the access.
 * A fault is resumed at label 9 with the flags still on the stack.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>

.macro PROBE access
	pushfq
	cli
	movq	$9f, %gs:CPU_FIXUP_PC
	\access
	movq	$0, %gs:CPU_FIXUP_PC
	popfq
	xorl	%eax, %eax
	ret
9:	movq	$0, %gs:CPU_FIXUP_PC
	popfq
	movl	$1, %eax
	ret
.endm

	.text

/* bool probe_read_u8(p = rdi, value = rsi). Clobbers rax, rdx. */
SYM_FUNC_START(probe_read_u8)
	PROBE	"movb (%rdi), %dl; movb %dl, (%rsi)"
SYM_FUNC_END(probe_read_u8)

/* bool probe_write_u8(p = rdi, value = sil). Clobbers rax. */
SYM_FUNC_START(probe_write_u8)
	PROBE	"movb %sil, (%rdi)"
SYM_FUNC_END(probe_write_u8)
