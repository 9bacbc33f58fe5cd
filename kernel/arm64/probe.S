/* SPDX-License-Identifier: MIT */
/*
 * Accesses that may fault on purpose (kernel/fault.h).
 *
 * While fixup_pc of this CPU is set, the fault path goes on there. Interrupts
 * are off in between: neither a handler's fault nor another CPU may use it.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>

	.text

/*
 * x9 = struct cpu, x10 = interrupt state. Clobbers x11. The access itself
 * must be the only instruction between arm and disarm.
 */
.macro arm_fixup label
	mrs	x10, daif
	msr	daifset, #2
	mrs	x9, tpidr_el1
	adr	x11, \label
	str	x11, [x9, #CPU_FIXUP_PC]
.endm

.macro disarm_fixup
	str	xzr, [x9, #CPU_FIXUP_PC]
	msr	daif, x10
.endm

/* bool probe_read_u8(const void *p, u8 *value) */
SYM_FUNC_START(probe_read_u8)
	arm_fixup probe_faulted
	ldrb	w2, [x0]
	disarm_fixup
	strb	w2, [x1]
	mov	w0, wzr
	ret
SYM_FUNC_END(probe_read_u8)

/* bool probe_write_u8(void *p, u8 value) */
SYM_FUNC_START(probe_write_u8)
	arm_fixup probe_faulted
	strb	w1, [x0]
	disarm_fixup
	mov	w0, wzr
	ret
SYM_FUNC_END(probe_write_u8)

/* The fault path returns here with all registers as they were. */
SYM_CODE_START(probe_faulted)
	disarm_fixup
	mov	w0, #1
	ret
SYM_CODE_END(probe_faulted)
