/* SPDX-License-Identifier: MIT */
/*
 * From the loader to superloop_main(): entered by PVH in 32-bit protected mode without paging;
 * the first 1 GiB is mapped to itself with 2 MiB pages, then long mode. bss is cleared by the loader.
 */
#define CR0_PG		0x80000000
#define CR4_PAE		0x20
#define MSR_EFER	0xc0000080
#define EFER_LME	0x100
#define PAGE_PRESENT_RW	0x3
#define PAGE_2M		0x83
#define XEN_ELFNOTE_PHYS32_ENTRY	18

	.section .note.Xen, "a", @note
	.balign 4
	.long	4, 8, XEN_ELFNOTE_PHYS32_ENTRY
	.asciz	"Xen"
	.quad	_start

	.section .start, "ax"
	.code32
	.globl _start
_start:
	movl	$stack_top, %esp

	/* One entry at each upper level, 512 pages of 2 MiB below. */
	movl	$page_directory_pointers + PAGE_PRESENT_RW, page_map
	movl	$page_directory + PAGE_PRESENT_RW, page_directory_pointers
	movl	$PAGE_2M, %eax
	xorl	%ecx, %ecx
1:	movl	%eax, page_directory(, %ecx, 8)
	addl	$0x200000, %eax
	incl	%ecx
	cmpl	$512, %ecx
	jne	1b

	/* Physical address extension, long mode enable, then paging: long mode is on. */
	movl	$page_map, %eax
	movl	%eax, %cr3
	movl	%cr4, %eax
	orl	$CR4_PAE, %eax
	movl	%eax, %cr4
	movl	$MSR_EFER, %ecx
	rdmsr
	orl	$EFER_LME, %eax
	wrmsr
	movl	%cr0, %eax
	orl	$CR0_PG, %eax
	movl	%eax, %cr0
	lgdt	gdt_pointer
	ljmp	$8, $long_mode

	.code64
long_mode:
	movl	$16, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	xorl	%ebp, %ebp
	call	superloop_main

	.balign 8
gdt:	.quad	0
	.quad	0x00af9a000000ffff
	.quad	0x00cf92000000ffff
gdt_pointer:
	.word	gdt_pointer - gdt - 1
	.long	gdt

	.bss
	.balign 4096
page_map:			.skip 4096
page_directory_pointers:	.skip 4096
page_directory:			.skip 4096
	.section .note.GNU-stack, "", @progbits
