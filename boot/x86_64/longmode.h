// SPDX-License-Identifier: MIT
/* From 32-bit protected mode to 64-bit mode, the same for the boot CPU and the others. */
#pragma once

#include "kernel/x86_64/port/vector.h"

#define CR0_PE		(1 << 0)
#define CR0_MP		(1 << 1)
#define CR0_EM		(1 << 2)
#define CR0_TS		(1 << 3)
#define CR0_NE		(1 << 5)
#define CR0_WP		(1 << 16)
#define CR0_NW		(1 << 29)
#define CR0_CD		(1 << 30)
#define CR0_PG		(1 << 31)

#define CR4_PAE		(1 << 5)
#define CR4_OSFXSR	(1 << 9)
#define CR4_OSXMMEXCPT	(1 << 10)

#define MSR_EFER	0xc0000080
#define EFER_LME	(1 << 8)
#define EFER_NXE	(1 << 11)
#define MSR_GS_BASE	0xc0000101

/*
 * Paging by boot_pml4, no-execute, write protection for ring 0 too, SSE state.
 * The order is the manual's (Intel SDM 3A, 9.8.5): PAE, CR3, LME, PG.
 * Clobbers eax, ecx, edx.
 */
.macro ENTER_LONG_MODE target
	movl	$(CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT), %eax
	movl	%eax, %cr4
	movl	$boot_pml4, %eax
	movl	%eax, %cr3

	movl	$MSR_EFER, %ecx
	rdmsr
	orl	$(EFER_LME | EFER_NXE), %eax
	wrmsr

	// INIT leaves the caches off on real processors.
	movl	%cr0, %eax
	andl	$~(CR0_EM | CR0_TS | CR0_NW | CR0_CD), %eax
	orl	$(CR0_PG | CR0_WP | CR0_NE | CR0_MP | CR0_PE), %eax
	movl	%eax, %cr0
	ljmp	$SELECTOR_CODE, $\target
.endm

/* Flat data segments; fs and gs null. Clobbers eax. */
.macro LOAD_DATA_SEGMENTS
	movl	$SELECTOR_DATA, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	xorl	%eax, %eax
	movl	%eax, %fs
	movl	%eax, %gs
.endm
