/* SPDX-License-Identifier: MIT */
/*
 * Traced functions at awkward places. The number in a name is how many bytes of the
 * two words of the site lie in front of the page's or the line's end.
 */
#include <asm/linkage.h>

/* Record \site in the table of call sites, as the compiler does. */
.macro record site
#ifdef FLAVOUR_pfe
	.pushsection __patchable_function_entries, "aw"
	.quad	\site
	.popsection
#endif
.endm

/* long \name(long x) { return x + \value; }, its site at the place that . is now. */
.macro edge name, value
	.globl	\name
	.type	\name, %function
\name:
	record	\name
	nop
	nop
	add	x0, x0, #\value
	ret
	.size	\name, . - \name
.endm

.macro edge_at name, value, unit, before
	.balign	\unit
	.skip	\unit - \before
	edge	\name, \value
.endm

	.section .text.edges, "ax"
	edge_at	edge_page_4, 0, 4096, 4
	edge_at	edge_page_8, 1, 4096, 8
	edge_at	edge_page_12, 2, 4096, 12
	edge_at	edge_line_4, 3, 64, 4
	edge_at	edge_line_8, 4, 64, 8

/* The linker puts this section last in text; its function ends where text ends. */
	.section .plt, "ax"
	edge_at	edge_last, 5, 4096, 16

	.section .rodata
	.balign	8
SYM_DATA_START(edge_functions)
	.quad	edge_page_4, edge_page_8, edge_page_12, edge_line_4, edge_line_8, edge_last, 0
SYM_DATA_END(edge_functions)
SYM_DATA_START(edge_site_bytes)
	.long	8
SYM_DATA_END(edge_site_bytes)
