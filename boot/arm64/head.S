/* SPDX-License-Identifier: MIT */
/*
 * From the firmware to kernel_main(): the Linux Image header, the way down from
 * EL2, a first map, the first stack, the C environment.
 *
 * The image runs where it is linked (physical = virtual). Nothing here has a
 * call site, and nothing uses a stack before the map is on.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>
#include <port/mmu.h>

#include <board.h>

#define EARLY_TCR	(TCR_T0SZ(39) | TCR_T1SZ(39) | TCR_TTBR0_WB | TCR_EPD1)

/* The address of a symbol anywhere in the image. */
.macro adr_l reg, sym
	adrp	\reg, \sym
	add	\reg, \reg, :lo12:\sym
.endm

	.section .head.text, "ax"

/*
 * Image header (Linux Documentation/arch/arm64/booting.rst). QEMU loads a raw
 * image at RAM + text_offset and hands over the device tree in x0 only if it
 * finds this.
 */
SYM_CODE_START(_start)
	b	boot_primary
	.long	0
	.quad	BOARD_TEXT_OFFSET
	.quad	__image_bytes
	.quad	1 << 1			// little endian, 4 KiB pages, near the start of RAM
	.quad	0
	.quad	0
	.quad	0
	.ascii	"ARM\x64"
	.long	0
SYM_CODE_END(_start)

/*
 * The boot CPU. From firmware: MMU off, EL1 or EL2, x0 = device tree.
 * Does not return. x21 keeps the device tree.
 */
SYM_CODE_START(boot_primary)
	mov	x21, x0
	bl	enter_el1

	adr_l	x20, early_table
	bl	make_early_table
	mov	x0, x20
	ldr	x1, =EARLY_TCR
	ldr	x2, =MAIR_VALUE
	ldr	x3, =SCTLR_EARLY
	mov	x4, xzr
	bl	arm64_enable_mmu

	adr_l	x0, __bss_start
	adr_l	x1, __bss_end
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b

	adr_l	x0, cpus
	bl	init_cpu_registers
	adr_l	x0, __stack_boot_top
	mov	sp, x0
	mov	x29, xzr
	mov	x30, xzr
	mov	x0, x21
	b	kernel_main
SYM_CODE_END(boot_primary)

/*
 * A further CPU. From firmware: MMU off, EL1 or EL2, x0 = struct arm64_start.
 * Does not return. Its caches hold nothing of ours: instructions that were
 * patched before it came are fetched anew after the invalidation.
 */
SYM_CODE_START(arm64_secondary_entry)
	mov	x21, x0
	bl	enter_el1
	ldp	x0, x4, [x21, #START_TTBR0]
	ldp	x1, x2, [x21, #START_TCR]
	ldr	x3, [x21, #START_SCTLR]
	bl	arm64_enable_mmu

	ldp	x1, x0, [x21, #START_STACK_TOP]
	mov	sp, x1
	bl	init_cpu_registers
	ldr	x0, [x21, #START_CPU]
	mov	x29, xzr
	mov	x30, xzr
	b	kernel_secondary_main
SYM_CODE_END(arm64_secondary_entry)

/*
 * Go to EL1 with all interrupts masked. In: x30. Clobbers x9, x10.
 * EL2 is left so that EL1 sees timers, counters, FP and the GIC as its own.
 */
SYM_FUNC_START(enter_el1)
	mrs	x9, CurrentEL
	cmp	x9, #(2 << 2)
	b.eq	1f
	msr	daifset, #0xf
	ret
1:
	mov	x9, #(1 << 31)			// HCR.RW: EL1 is 64 bit
	msr	hcr_el2, x9
	mrs	x9, cnthctl_el2
	orr	x9, x9, #3			// EL1 may read the counter and the timer
	msr	cnthctl_el2, x9
	msr	cntvoff_el2, xzr
	mov	x9, #0x33ff			// no FP traps
	msr	cptr_el2, x9
	msr	hstr_el2, xzr
	msr	vttbr_el2, xzr
	mrs	x9, midr_el1
	msr	vpidr_el2, x9
	mrs	x9, mpidr_el1
	msr	vmpidr_el2, x9

	mrs	x9, id_aa64dfr0_el1		// all event counters are EL1's, where there are any
	ubfx	x9, x9, #8, #4
	add	x9, x9, #1
	tst	x9, #0xe			// 0: none, 15: not the architected PMU
	mov	x9, xzr
	b.eq	2f
	mrs	x9, pmcr_el0
	ubfx	x9, x9, #11, #5
2:	msr	mdcr_el2, x9

	mrs	x9, id_aa64pfr0_el1		// GICv3: EL1 may use its system registers
	ubfx	x9, x9, #24, #4
	cbz	x9, 3f
	mrs	x9, s3_4_c12_c9_5		// ICC_SRE_EL2
	mov	x10, #9				// SRE, Enable
	orr	x9, x9, x10
	msr	s3_4_c12_c9_5, x9
	isb
	msr	s3_4_c12_c11_0, xzr		// ICH_HCR_EL2: no virtual interrupts
3:
	ldr	x9, =SCTLR_RES1
	msr	sctlr_el1, x9
	mov	x9, #0x3c5			// EL1h, all masked
	msr	spsr_el2, x9
	msr	elr_el2, x30
	eret
SYM_FUNC_END(enter_el1)

/*
 * The first map: the GiB that holds the image is memory, all others are devices.
 * In: x20 = the table. Clobbers x9-x12.
 */
SYM_FUNC_START(make_early_table)
	adr_l	x9, __image_start
	lsr	x9, x9, #30
	mov	x10, #(PTE_BLOCK | PTE_AF | PTE_ATTR(MAIR_DEVICE))
	orr	x10, x10, #(1 << PTE_PXN_BIT)
	mov	x11, xzr
	mov	x12, #(1 << 30)
1:	str	x10, [x20, x11, lsl #3]
	add	x10, x10, x12
	add	x11, x11, #1
	cmp	x11, #512
	b.ne	1b

	lsl	x10, x9, #30
	mov	x12, #(PTE_BLOCK | PTE_AF | PTE_ATTR(MAIR_NORMAL))
	orr	x12, x12, #PTE_INNER
	orr	x10, x10, x12
	str	x10, [x20, x9, lsl #3]

	dmb	sy
	mov	x11, x20			// drop stale lines of the table
	add	x12, x20, #4096
2:	dc	ivac, x11
	add	x11, x11, #16			// the smallest line there may be
	cmp	x11, x12
	b.lo	2b
	dsb	sy
	ret
SYM_FUNC_END(make_early_table)

/*
 * void arm64_enable_mmu(ttbr0, tcr, mair, sctlr, ttbr1), see <port/start.h>.
 * The old map is off before the new one comes on, so that the TLB never sees
 * two sizes for one address; no data is touched in between. Clobbers x9, x10.
 */
SYM_FUNC_START(arm64_enable_mmu)
	mrs	x9, sctlr_el1
	bic	x9, x9, #SCTLR_M
	msr	sctlr_el1, x9
	isb
	mrs	x9, id_aa64mmfr0_el1
	and	x9, x9, #0xf			// PARange has IPS's encoding ...
	mov	x10, #5
	cmp	x9, x10
	csel	x9, x9, x10, ls			// ... which we take up to 48 bits
	bfi	x1, x9, #TCR_IPS_SHIFT, #3
	msr	mair_el1, x2
	msr	tcr_el1, x1
	msr	ttbr0_el1, x0
	msr	ttbr1_el1, x4
	isb
	tlbi	vmalle1
	ic	iallu
	dsb	nsh
	isb
	msr	sctlr_el1, x3
	isb
	ret
SYM_FUNC_END(arm64_enable_mmu)

/* What C code and faults need of this CPU. In: x0 = its struct cpu. Clobbers x9. */
SYM_FUNC_START(init_cpu_registers)
	msr	tpidr_el1, x0
	msr	sp_el0, xzr
	adr_l	x9, arm64_vectors
	msr	vbar_el1, x9
	mov	x9, #(3 << 20)			// CPACR: no FP traps
	msr	cpacr_el1, x9
	isb
	ret
SYM_FUNC_END(init_cpu_registers)

	.pool

/* Not in bss: it is in use while bss is cleared. */
	.section .data.early_table, "aw"
	.balign	4096
early_table:
	.fill	512, 8, 0
