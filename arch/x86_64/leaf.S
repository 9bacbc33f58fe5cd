/* SPDX-License-Identifier: MIT */
/*
 * The leaf op that does nothing.
 *
 * From: the call of a site, or of a trampoline. Out, clobbers: nothing.
 *
 *	rsp	-> address behind the call
 *	+8	   return address into the parent
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(arch_leaf_return)
	ret
SYM_FUNC_END(arch_leaf_return)

	.section .note.GNU-stack, "", %progbits
