/* SPDX-License-Identifier: MIT */
/*
 * From the loader to kernel_main(), one image for two loaders: PVH (QEMU's
 * -kernel) and multiboot2 (GRUB). Both enter _start in 32-bit protected mode,
 * paging off, flat segments, interrupts off.
 *
 * There is no multiboot1 header: QEMU would look at it first and refuse an ELF64.
 */
#include <asm/linkage.h>
#include <generated/kernel-offsets.h>

#include "boot/x86_64/longmode.h"

#define MULTIBOOT2_HEADER_MAGIC	0xe85250d6
#define MULTIBOOT2_LOADER_MAGIC	0x36d76289
#define PVH_INFO_MAGIC		0x336ec578
#define PVH_NOTE_ENTRY		18

	.section .boot.header, "ax"
	.balign	8
multiboot2_header:
	.long	MULTIBOOT2_HEADER_MAGIC
	.long	0				// i386 protected mode
	.long	multiboot2_end - multiboot2_header
	.long	-(MULTIBOOT2_HEADER_MAGIC + (multiboot2_end - multiboot2_header))
	.short	0, 0				// the end tag
	.long	8
multiboot2_end:

	.section .note.Xen, "a", @note
	.balign	4
	.long	4, 8, PVH_NOTE_ENTRY
	.asciz	"Xen"
	.quad	_start

	.section .boot.text, "ax"

/*
 * _start: the loader comes here
 * In: eax, ebx as the loader's protocol says. 32-bit code, no stack.
 *
 * The multiboot2 magic is in eax, PVH's in the block that ebx points to. PVH is
 * looked for without regard to eax: QEMU's qboot leaves another protocol's magic there.
 * esi carries the address of the loader's block, 0 when the loader is unknown.
 */
	.code32
SYM_CODE_START(_start)
	cli
	cld
	movl	%ebx, %esi
	cmpl	$MULTIBOOT2_LOADER_MAGIC, %eax
	je	1f
	cmpl	$PVH_INFO_MAGIC, (%ebx)
	je	1f
	xorl	%esi, %esi

	// The early tables and the first stack lie in bss.
1:	movl	$__bss_start, %edi
	movl	$__bss_end, %ecx
	subl	%edi, %ecx
	shrl	$2, %ecx
	xorl	%eax, %eax
	rep stosl

	// The first 4 GiB, identity, 2 MiB pages, writable: until mmu_init().
	movl	$(boot_pdpt + 3), boot_pml4
	movl	$(boot_pd + 3), %eax
	movl	$boot_pdpt, %edi
	movl	$4, %ecx
2:	movl	%eax, (%edi)
	addl	$4096, %eax
	addl	$8, %edi
	loop	2b

	movl	$0x83, %eax			// present, writable, 2 MiB
	movl	$boot_pd, %edi
	movl	$2048, %ecx
3:	movl	%eax, (%edi)
	addl	$0x200000, %eax
	addl	$8, %edi
	loop	3b

	lgdt	boot_gdt_pointer
	ENTER_LONG_MODE start64
SYM_CODE_END(_start)

/*
 * start64: 64-bit code under the early tables
 * In: esi = the loader's block. Sets the boot stack and this CPU's per-CPU
 * data, so that C may ask for this_cpu() at once.
 */
	.code64
SYM_CODE_START(start64)
	LOAD_DATA_SEGMENTS
	movq	$__stack_boot_top, %rsp

	movl	$MSR_GS_BASE, %ecx
	movl	$cpus, %eax
	xorl	%edx, %edx
	wrmsr
	movq	$cpus, cpus + CPU_SELF

	movl	%esi, %edi
	xorl	%ebp, %ebp			// the end of every backtrace
	call	kernel_main
4:	cli
	hlt
	jmp	4b
SYM_CODE_END(start64)

	.section .rodata.boot, "a"
	.balign	8
	.globl	boot_gdt
boot_gdt:
	.quad	0
	.quad	0x00af9b000000ffff		// SELECTOR_CODE: 64-bit
	.quad	0x00cf93000000ffff		// SELECTOR_DATA
	.quad	0x00cf9b000000ffff		// SELECTOR_CODE32
boot_gdt_end:

	.globl	boot_gdt_pointer
boot_gdt_pointer:
	.word	boot_gdt_end - boot_gdt - 1
	.long	boot_gdt

	.section .bss.boot, "aw", @nobits
	.balign	4096
	.globl	boot_pml4
boot_pml4:
	.skip	4096
boot_pdpt:
	.skip	4096
boot_pd:
	.skip	4 * 4096
