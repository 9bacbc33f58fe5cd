/* SPDX-License-Identifier: MIT */
/* Symbols of assembly files: type and size, so that the symbol table knows them. */
#pragma once

#ifdef __ASSEMBLY__

/* A routine that C may call: AAPCS32, ARM state. */
#define SYM_FUNC_START(name)		.globl name; .balign 4; .type name, %function; name:
#define SYM_FUNC_START_LOCAL(name)	.balign 4; .type name, %function; name:
#define SYM_FUNC_END(name)		.size name, . - name

/* Code with a convention of its own: vectors, trampolines. */
#define SYM_CODE_START(name)		SYM_FUNC_START(name)
#define SYM_CODE_START_LOCAL(name)	SYM_FUNC_START_LOCAL(name)
#define SYM_CODE_END(name)		SYM_FUNC_END(name)

/* A place inside a routine that C or the patcher knows. */
#define SYM_INNER_LABEL(name)		.globl name; name:

#define SYM_DATA_START(name)		.globl name; .balign 16; .type name, %object; name:
#define SYM_DATA_END(name)		.size name, . - name

#endif
