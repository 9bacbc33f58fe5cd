/* SPDX-License-Identifier: MIT */
/*
 * How a further CPU comes to kernel_secondary_main(); see <port/secondary.h>.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>

#include "boot/x86_64/longmode.h"

/*
 * secondary_trampoline: 16-bit real mode, cs:ip = page:0, no stack
 * Copied to a page below 1 MiB. Independent of where: cs gives the page, all
 * else lies in the image.
 */
	.section .rodata.boot, "a"
	.globl	secondary_trampoline, secondary_trampoline_end
	.code16
secondary_trampoline:
	cli
	cld
	movw	%cs, %ax
	movw	%ax, %ds
	lgdtl	gdt_pointer - secondary_trampoline
	movl	%cr0, %eax
	orb	$CR0_PE, %al
	movl	%eax, %cr0
	ljmpl	$SELECTOR_CODE32, $secondary_start32
	.balign	4
gdt_pointer:
	.word	31
	.long	boot_gdt
secondary_trampoline_end:

	.section .boot.text, "ax"
	.code32
SYM_CODE_START(secondary_start32)
	movl	$SELECTOR_DATA, %eax
	movl	%eax, %ds
	ENTER_LONG_MODE secondary_start64
SYM_CODE_END(secondary_start32)

/*
 * secondary_start64: which CPU are we, and is there a stack for us?
 * edi = number, ebx = APIC id. Leaf 1 gives 8 bits of it; the xAPIC has no more.
 */
	.code64
SYM_CODE_START(secondary_start64)
	LOAD_DATA_SEGMENTS
	movl	$1, %eax
	cpuid
	shrl	$24, %ebx

	xorl	%edi, %edi
1:	cmpq	%rbx, machine + MACHINE_CPU_HWID(, %rdi, 8)
	je	2f
	incl	%edi
	cmpl	$NR_CPU_SLOTS, %edi
	jb	1b
	jmp	3f

	// Taking the stack says that we have arrived.
2:	xorl	%eax, %eax
	xchgq	%rax, secondary_stack(, %rdi, 8)
	testq	%rax, %rax
	jz	3f
	movq	%rax, %rsp

	imulq	$CPU_BYTES, %rdi, %rax
	addq	$cpus, %rax
	movq	%rax, CPU_SELF(%rax)
	movl	$MSR_GS_BASE, %ecx
	xorl	%edx, %edx
	wrmsr

	xorl	%ebp, %ebp
	call	kernel_secondary_main
3:	cli
	hlt
	jmp	3b
SYM_CODE_END(secondary_start64)

	.section .bss.boot, "aw", @nobits
	.balign	8
	.globl	secondary_stack
secondary_stack:
	.skip	8 * NR_CPU_SLOTS
