/* SPDX-License-Identifier: MIT */
/*
 * A firmware's own linker script: one region that is read, written and executed, with the
 * runtime's fragment in the constants and room for generated code behind the text.
 */
ENTRY(_start)

PHDRS
{
	all PT_LOAD FLAGS(7);
#ifdef __x86_64__
	note PT_NOTE FLAGS(4);
#endif
}

SECTIONS
{
	. = LOAD_ADDRESS;
	__image_start = .;
	.text : {
		__text_start = .;
		KEEP(*(.start))
		__entry_text_start = .;
		*(.entry.text)
		__entry_text_end = .;
		*(.text .text.*)
		. = ALIGN(4096);
		code_pool_start = .;
		__code_pool_start = .;
		. += 64 * 1024;
		code_pool_end = .;
		__code_pool_end = .;
		__text_end = .;
	} :all
	.data : {
		*(.data .data.*) *(.got .got.plt)
		INCLUDE linker/foreign-data.lds
	} :all
	.bss : {
		__bss_start = .;
		*(.bss .bss.* COMMON)
		. = ALIGN(4096);
		stack_bottom = .;
		. += 16 * 1024;
		stack_top = .;
		__bss_end = .;
	} :all
#ifdef __x86_64__
	. = ALIGN(4);
	.note.Xen : { KEEP(*(.note.Xen)) } :all :note
#endif
#ifdef __arm__
	.ARM.extab : { *(.ARM.extab .ARM.extab.*) } :all
	.ARM.exidx : {
		__exidx_start = .;
		*(.ARM.exidx .ARM.exidx.*)
		__exidx_end = .;
	} :all
#endif
	.rodata : {
		*(.rodata .rodata.*)
		INCLUDE linker/foreign.lds
	} :all
	__image_end = .;

	/DISCARD/ : { *(.note.GNU-stack .note.gnu.property .comment .eh_frame .ARM.attributes) }
}
