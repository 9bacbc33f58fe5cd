/* SPDX-License-Identifier: MIT */
/*
 * The leaf op that does nothing; and how C calls a leaf.
 *
 * From: the bl of a site, or of a trampoline. In: x30 is the address behind the bl, x9
 * the return address into the parent (pg: on the stack, all is saved). Out: x30 is the
 * parent again. Clobbers x10, which is dead at a function's entry.
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(arch_leaf_return)
#ifdef FLAVOUR_pg
	ret
#else
	mov	x10, x30
	mov	x30, x9
	ret	x10
#endif
SYM_FUNC_END(arch_leaf_return)

/* From C. x0: the leaf, x1: return address into the parent. It keeps all that we have to. */
SYM_FUNC_START(arch_leaf_call)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	mov	x10, x0
#ifdef FLAVOUR_pg
	mov	x0, x1
#else
	mov	x9, x1
#endif
	blr	x10
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(arch_leaf_call)

	.section .note.GNU-stack, "", %progbits
