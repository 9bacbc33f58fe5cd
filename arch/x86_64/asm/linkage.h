// SPDX-License-Identifier: MIT
/* How assembly routines begin and end, so that each has a type and a size. */
#pragma once

#ifdef __ASSEMBLY__

#define SYM_ENTRY(name)		.balign 16; .type name, @function; name:

/* A routine that C may call. */
#define SYM_FUNC_START(name)		.globl name; SYM_ENTRY(name)
#define SYM_FUNC_START_LOCAL(name)	SYM_ENTRY(name)
#define SYM_FUNC_END(name)		.size name, . - name

/* Code with rules of its own: vectors, trampolines. */
#define SYM_CODE_START(name)		.globl name; SYM_ENTRY(name)
#define SYM_CODE_START_LOCAL(name)	SYM_ENTRY(name)
#define SYM_CODE_END(name)		.size name, . - name

/* A place inside a routine that somebody outside must know. */
#define SYM_INNER_LABEL(name)		.globl name; name:

#define SYM_DATA_START(name)		.globl name; .type name, @object; name:
#define SYM_DATA_END(name)		.size name, . - name

#endif
