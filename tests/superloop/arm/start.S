/* SPDX-License-Identifier: MIT */
/* From the loader to superloop_main(): SVC mode, MMU and caches off, bss cleared by the loader. */
	.section .start, "ax"
	.globl _start
_start:
	ldr	sp, =stack_top
	mov	lr, #0
	b	superloop_main
	.ltorg
	.section .note.GNU-stack, "", %progbits
