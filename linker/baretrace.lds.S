/* SPDX-License-Identifier: MIT */
/*
 * One linker script for all boards. It is preprocessed with the board's board.h, from which come
 *   BOARD_LOAD_ADDRESS   where the image is linked and loaded (physical = link address)
 *   BOARD_CODE_POOL_SIZE optional: room for generated code, default 256 KiB
 *   BOARD_BOOT_STACK_SIZE optional: the boot CPU's first stack, default 16 KiB
 * and, for the image whose code pool not all of its text reaches, with LAYOUT_POOL_GAP, bytes between the two.
 *
 *   __image_start = BOARD_LOAD_ADDRESS
 *   +--------------------+ __text_start        RX
 *   | headers, reset     |   .boot.header (multiboot2: in the first 32 KiB), .head (raw images
 *   |                    |   are entered at their first byte)
 *   | text               |
 *   +--------------------+ __code_pool_start   RX, page-aligned, in branch reach of all text
 *   | code pool          |
 *   +--------------------+ __code_pool_end = __text_end
 *   | constants, tables, |                     R
 *   | symbol names       |
 *   +--------------------+ __rodata_end
 *   | data               | __data_start        RW, never executed
 *   +--------------------+ __bss_start         (not in the file from here on)
 *   | guard page         | __stack_boot_guard
 *   | boot stack         | __stack_boot_bottom .. __stack_boot_top
 *   | bss                |
 *   +--------------------+ __bss_end = __image_end
 *
 * Text comes before the tables that are made from the linked image, so that their size moves no
 * function: the second link keeps every address of the first.
 */
#ifndef BOARD_CODE_POOL_SIZE
#define BOARD_CODE_POOL_SIZE	(256 * 1024)
#endif
#ifndef LAYOUT_POOL_GAP
#define LAYOUT_POOL_GAP		0
#endif
#ifndef BOARD_BOOT_STACK_SIZE
#define BOARD_BOOT_STACK_SIZE	(16 * 1024)
#endif
#define LAYOUT_PAGE		4096
/* Text with the code pool; from anywhere in it branches go anywhere. */
#ifndef LAYOUT_MOST_TEXT
#define LAYOUT_MOST_TEXT	(24 * 1024 * 1024)
#endif

/* A table gathered from all objects, between __start_name and __stop_name. */
#define TABLE(name)			\
	. = ALIGN(16);			\
	__start_##name = .;		\
	KEEP(*(name .name))		\
	__stop_##name = .;

ENTRY(_start)

PHDRS
{
	text PT_LOAD FLAGS(5);
	rodata PT_LOAD FLAGS(4);
	data PT_LOAD FLAGS(6);
#ifdef __x86_64__
	note PT_NOTE FLAGS(4);
#endif
}

SECTIONS
{
	. = BOARD_LOAD_ADDRESS;
	__image_start = .;

	.text : {
		__text_start = .;
		KEEP(*(.boot.header))
		KEEP(*(.head .head.text))
		*(.boot.text .boot.text.*)
		__entry_text_start = .;
		*(.entry.text)
		__entry_text_end = .;
		*(.text.hot .text.hot.*)
		*(.text .text.*)
		*(.iplt .plt .glue_7 .glue_7t .vfp11_veneer .v4_bx)
		. = ALIGN(. + LAYOUT_POOL_GAP, LAYOUT_PAGE);
		__code_pool_start = .;
		. += BOARD_CODE_POOL_SIZE;
		. = ALIGN(LAYOUT_PAGE);
		__code_pool_end = .;
		__text_end = .;
	} :text

	.rodata : {
		__rodata_start = .;
		*(.rodata .rodata.*)
		/* Empty: the linker makes them for symbols of this script before it knows that they are ours. */
		*(.rel.* .rela.*)
		TABLE(tests)
		TABLE(benches)
		TABLE(nograph_functions)

		/* One name for the table, whatever the compiler calls it. No --gc-sections: see kallsyms. */
		. = ALIGN(16);
		__start_mcount_loc = .;
		KEEP(*(__mcount_loc))
		KEEP(*(__patchable_function_entries))
		__stop_mcount_loc = .;
	} :rodata

#ifdef __x86_64__
	/* PVH entry. QEMU hangs silently when the segment's alignment is not 4. */
	. = ALIGN(4);
	.note.Xen : { KEEP(*(.note.Xen)) } :rodata :note
#endif
#ifdef __arm__
	.ARM.extab : { *(.ARM.extab .ARM.extab.*) } :rodata
	.ARM.exidx : {
		__exidx_start = .;
		*(.ARM.exidx .ARM.exidx.*)
		__exidx_end = .;
	} :rodata
#endif

	/* Made from the linked image: last, so that nothing else moves when it grows. */
	.kallsyms : {
		KEEP(*(.kallsyms))
		. = ALIGN(LAYOUT_PAGE);
		__rodata_end = .;
	} :rodata

	. = ALIGN(LAYOUT_PAGE);
	.data : {
		__data_start = .;
		*(.data .data.*)
		*(.got .got.* .igot .igot.* .got.plt .igot.plt)
		/* Sorted in place at boot, by the keys that own its entries. */
		TABLE(jump_table)
		. = ALIGN(16);
		__data_end = .;
	} :data

	. = ALIGN(LAYOUT_PAGE);
	.bss (NOLOAD) : {
		__bss_start = .;
		__stack_boot_guard = .;
		. += LAYOUT_PAGE;
		__stack_boot_bottom = .;
		. += BOARD_BOOT_STACK_SIZE;
		__stack_boot_top = .;
		*(.bss .bss.* COMMON)
		. = ALIGN(LAYOUT_PAGE);
		__bss_end = .;
	} :data
	__image_end = .;
	__image_bytes = ABSOLUTE(__image_end - __image_start);	/* for image headers */

	.comment 0 : { *(.comment) }
	.debug_aranges 0 : { *(.debug_aranges) }
	.debug_info 0 : { *(.debug_info) }
	.debug_abbrev 0 : { *(.debug_abbrev) }
	.debug_line 0 : { *(.debug_line .debug_line.*) }
	.debug_frame 0 : { *(.debug_frame) }
	.debug_str 0 : { *(.debug_str) }
	.debug_line_str 0 : { *(.debug_line_str) }
	.debug_loclists 0 : { *(.debug_loclists .debug_loc) }
	.debug_rnglists 0 : { *(.debug_rnglists .debug_ranges) }
	.debug_macro 0 : { *(.debug_macro .debug_macinfo) }
#ifdef __arm__
	.ARM.attributes 0 : { KEEP(*(.ARM.attributes)) }
#endif

	/DISCARD/ : {
		*(.note.GNU-stack .note.gnu.property .note.gnu.build-id .note.ABI-tag)
		*(.eh_frame .eh_frame.* .eh_frame_hdr)
		*(.init .fini .init_array .init_array.* .fini_array .fini_array.* .ctors .dtors .tm_clone_table .jcr)
	}

	ASSERT(__code_pool_end - __text_start <= LAYOUT_MOST_TEXT, "code pool out of ARM's branch reach")
}
