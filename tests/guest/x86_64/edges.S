/* SPDX-License-Identifier: MIT */
/*
 * Traced functions at awkward places. The number in a name is how many bytes of the
 * five-byte site lie in front of the page's or the line's end.
 */
#include <asm/linkage.h>

/* Record \site in the table of call sites, as the compiler does. */
.macro record site
#ifdef FLAVOUR_mfentry
	.pushsection __mcount_loc, "a"
	.quad	\site
	.popsection
#endif
.endm

/* long \name(long x) { return x + \add; }, its site at the place that . is now. */
.macro edge name, add
	.globl	\name
	.type	\name, %function
\name:
	record	\name
	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	lea	\add(%rdi), %rax
	ret
	.size	\name, . - \name
.endm

.macro edge_at name, add, unit, before
	.balign	\unit, 0xcc
	.skip	\unit - \before, 0xcc
	edge	\name, \add
.endm

	.section .text.edges, "ax"
	edge_at	edge_page_1, 0, 4096, 1
	edge_at	edge_page_2, 1, 4096, 2
	edge_at	edge_page_3, 2, 4096, 3
	edge_at	edge_page_4, 3, 4096, 4
	edge_at	edge_page_5, 4, 4096, 5
	edge_at	edge_line_1, 5, 64, 1
	edge_at	edge_line_4, 6, 64, 4
	edge_at	edge_line_5, 7, 64, 5
	.balign	16, 0xcc

/* The linker puts this section last in text; its function ends where text ends. */
	.section .plt, "ax"
	edge_at	edge_last, 8, 4096, 10

	.section .rodata
	.balign	8
SYM_DATA_START(edge_functions)
	.quad	edge_page_1, edge_page_2, edge_page_3, edge_page_4, edge_page_5
	.quad	edge_line_1, edge_line_4, edge_line_5, edge_last, 0
SYM_DATA_END(edge_functions)
SYM_DATA_START(edge_site_bytes)
	.long	5
SYM_DATA_END(edge_site_bytes)
