/* SPDX-License-Identifier: MIT */
/*
 * The leaf op that does nothing; and how C calls a leaf.
 *
 * From: the bl of a site, or of a trampoline. In: [sp] is the return address into the
 * parent, lr the address behind the bl. Out: lr is the parent again, sp as before the
 * push; all else untouched.
 *
 *	sp	-> parent	then	-> address behind the bl
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(arch_leaf_return)
	.fnstart
	.cantunwind
	swp	lr, lr, [sp]
	ldr	pc, [sp], #4
	.fnend
SYM_FUNC_END(arch_leaf_return)

/*
 * From C. r0: the leaf, r1: return address into the parent, pushed as a site does it;
 * the leaf takes that off. It keeps all that we have to.
 */
SYM_FUNC_START(arch_leaf_call)
	.fnstart
	.save	{r4, lr}
	push	{r4, lr}
	push	{r1}
	blx	r0
	pop	{r4, pc}
	.fnend
SYM_FUNC_END(arch_leaf_call)

	.section .note.GNU-stack, "", %progbits
