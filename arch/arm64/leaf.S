/* SPDX-License-Identifier: MIT */
/*
 * The leaf op that does nothing.
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

	.section .note.GNU-stack, "", %progbits
