/* SPDX-License-Identifier: MIT */
/*
 * From the boot loader to kernel_main(), on the ARM Linux boot protocol
 * (Documentation/arm/booting.rst of Linux): a raw image, entered at its first
 * byte with MMU and caches off.
 *
 * Invariants: every mode but SVC has a save area of a few words instead of a
 * stack, see kernel/arm/vectors.S; FIQ is masked from here on for good.
 */
#include <asm/linkage.h>
#include <port/entry.h>

	.section .head.text, "ax"

/*
 * In:   r0 = 0, r1 = machine number, r2 = address of the ATAG list; any mode
 * Out:  kernel_main(copy of the ATAG list) on the boot stack, SVC mode,
 *	 interrupts off
 */
SYM_CODE_START(_start)
	.fnstart
	msr	cpsr_c, #MODE_SVC | IRQ_FIQ_OFF
	ldr	sp, =__stack_boot_top

	/* The list may lie where bss is or where the vectors go: away with it first. */
	mov	r0, r2
	bl	boot_copy_atags
	mov	r4, r0

	/* bss is a whole number of pages: 16 bytes at a time. The stack in it is empty. */
	ldr	r0, =__bss_start
	ldr	r1, =__bss_end
	mov	r2, #0
	mov	r3, #0
	mov	r5, #0
	mov	r6, #0
1:	stmia	r0!, {r2, r3, r5, r6}
	cmp	r0, r1
	blo	1b

	/* Where the exception modes put what they may not overwrite. */
	msr	cpsr_c, #MODE_IRQ | IRQ_FIQ_OFF
	ldr	sp, =entry_save_irq
	msr	cpsr_c, #MODE_ABT | IRQ_FIQ_OFF
	ldr	sp, =entry_save_abort
	msr	cpsr_c, #MODE_UND | IRQ_FIQ_OFF
	ldr	sp, =entry_save_undefined
	msr	cpsr_c, #MODE_SVC | IRQ_FIQ_OFF

	/* fp = 0; the unwind table ends every backtrace here. */
	mov	fp, #0
	mov	r0, r4
	bl	kernel_main
2:	b	2b
	.cantunwind
	.fnend
SYM_CODE_END(_start)
	.ltorg
