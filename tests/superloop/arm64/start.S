/* SPDX-License-Identifier: MIT */
/* From the loader to superloop_main(): EL1, MMU and caches off, bss cleared by the loader. */
	.section .start, "ax"
	.globl _start
_start:
	adrp	x0, stack_top
	add	x0, x0, #:lo12:stack_top
	mov	sp, x0
	mov	x29, xzr
	mov	x30, xzr
	b	superloop_main
	.section .note.GNU-stack, "", %progbits
