/* SPDX-License-Identifier: MIT */
/*
 * Switching threads.
 *
 *	thread->sp ->	r15 r14 r13 r12 rbx rbp		struct switch_frame (thread.c)
 *			where it resumes
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/shadow.h>

	.text

/*
 * switch_to(prev = rdi, next = rsi): interrupts off
 * Clobbers what a call may, and rax.
 *
 * A guard page that another CPU took out of the map may still stand in our TLB.
 * Its owner runs here only after a switch, so the switch is where we look.
 */
SYM_FUNC_START(switch_to)
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15

	movq	THREAD_FP_STATE(%rdi), %rax
	fxsave64 (%rax)
	movq	THREAD_FP_STATE(%rsi), %rax
	fxrstor64 (%rax)

	movl	mmu_generation, %eax
	cmpl	%eax, %gs:CPU_MMU_GENERATION
	je	1f
	movl	%eax, %gs:CPU_MMU_GENERATION
	movq	%cr3, %rax			// a load of CR3 drops all that is not global; nothing is
	movq	%rax, %cr3

	// The shadow stack goes with the stack.
1:	movq	%gs:HOST_SHADOW_SP, %rax
	movq	%rax, THREAD_SHADOW_SP(%rdi)
	movq	THREAD_SHADOW_SP(%rsi), %rax
	movq	%rax, %gs:HOST_SHADOW_SP

	movq	%rsp, THREAD_SP(%rdi)
	movq	THREAD_SP(%rsi), %rsp

	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
SYM_FUNC_END(switch_to)
