/* SPDX-License-Identifier: MIT */
/*
 * Accesses that may fault: the CPU's fixup_pc says where a fault goes on.
 *
 * Armed for one access only and with interrupts off, so that neither an
 * interrupt nor another thread can fault into somebody else's fixup.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/entry.h>

	.text

/* Keeps the interrupt state in r3 and the CPU in r2; clobbers ip. */
.macro ARM_FIXUP label
	mrs	r3, cpsr
	orr	ip, r3, #IRQ_FIQ_OFF
	msr	cpsr_c, ip
	ldr	r2, =cpus
	ldr	ip, =\label
	str	ip, [r2, #CPU_FIXUP_PC]
.endm

.macro DISARM_FIXUP
	mov	ip, #0
	str	ip, [r2, #CPU_FIXUP_PC]
	msr	cpsr_c, r3
.endm

/*
 * bool probe_read_u8(p, value): any context.
 * In: r0 = p, r1 = value. Out: r0 = 1 when it faulted. Clobbers r2, r3, ip.
 */
SYM_FUNC_START(probe_read_u8)
	.fnstart
	ARM_FIXUP .Lfaulted
	ldrb	r0, [r0]
	DISARM_FIXUP
	strb	r0, [r1]
	mov	r0, #0
	bx	lr
	.fnend
SYM_FUNC_END(probe_read_u8)

/*
 * bool probe_write_u8(p, value): any context.
 * In: r0 = p, r1 = value. Out: r0 = 1 when it faulted. Clobbers r2, r3, ip.
 */
SYM_FUNC_START(probe_write_u8)
	.fnstart
	ARM_FIXUP .Lfaulted
	strb	r1, [r0]
	DISARM_FIXUP
	mov	r0, #0
	bx	lr
.Lfaulted:
	DISARM_FIXUP
	mov	r0, #1
	bx	lr
	.fnend
SYM_FUNC_END(probe_write_u8)
	.ltorg
