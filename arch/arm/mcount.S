/* SPDX-License-Identifier: MIT */
/*
 * Where call sites go that nobody hooks: `pg` ones until they are initialised,
 * all of them when a context was stopped between their two words.
 *
 * From: `push {lr}; bl` of a site: [sp] is the return address into the parent,
 * lr the address behind the site. Out: lr is the parent again, sp as before the
 * push, everything else untouched: ip too, which may hold a static chain, and
 * the flags.
 *
 *	sp	-> parent	then	-> address behind the site
 */
#include <asm/linkage.h>

	.text

SYM_FUNC_START(arm_ftrace_stub)
	.globl	__gnu_mcount_nc
	.type	__gnu_mcount_nc, %function
__gnu_mcount_nc:
	.fnstart
	.cantunwind			/* unwind.c knows both instructions */
	swp	lr, lr, [sp]		/* no register is free for an exchange in steps */
	ldr	pc, [sp], #4
	.fnend
	.size	__gnu_mcount_nc, . - __gnu_mcount_nc
SYM_FUNC_END(arm_ftrace_stub)

	.section .note.GNU-stack, "", %progbits
