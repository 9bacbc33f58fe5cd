/* SPDX-License-Identifier: MIT */
/*
 * Context switch. What a thread keeps on its stack while it does not run:
 *
 *	sp + 40	-> +-----------------------+
 *		   | lr: where it goes on  |
 *		   | ip: padding to 8	   |
 *		   | r4 - r11		   |
 *	sp	-> +-----------------------+
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/entry.h>

	.text

/*
 * switch_to(prev, next): thread context, interrupts off.
 * In: r0 = prev, r1 = next. Out: on next's stack. Clobbers what a call may.
 */
SYM_FUNC_START(switch_to)
	.fnstart
	push	{r4-r11, ip, lr}
	.save	{r4-r11, ip, lr}
	ldr	r2, =arm_shadow_sp		@ the shadow stack goes with the stack
	ldr	r3, [r2]
	str	r3, [r0, #THREAD_SHADOW_SP]
	ldr	r3, [r1, #THREAD_SHADOW_SP]
	str	r3, [r2]
	str	sp, [r0, #THREAD_SP]
	ldr	sp, [r1, #THREAD_SP]
	pop	{r4-r11, ip, pc}
	.fnend
SYM_FUNC_END(switch_to)

/* Where a new thread's first switch_to() goes. The bottom of its backtraces: no unwind table. */
SYM_CODE_START(thread_entry)
	.fnstart
	bl	thread_start
	.cantunwind
	.fnend
SYM_CODE_END(thread_entry)

/*
 * port_soft_irq(fn, arg): any context. The SWI handler reads r0 and r1; lr is
 * what a SWI taken in SVC mode overwrites.
 */
SYM_FUNC_START(port_soft_irq)
	.fnstart
	push	{r4, lr}
	.save	{r4, lr}
	svc	#SWI_SOFT_IRQ
	pop	{r4, pc}
	.fnend
SYM_FUNC_END(port_soft_irq)
