// SPDX-License-Identifier: MIT
/*
 * longjmp, as the linker makes every call of it one of ours (--wrap): the function
 * graph must know that functions are left without returning.
 */
#include <setjmp.h>

#include "core/fgraph.h"

#include <port/shadow.h>

__noreturn void __real_longjmp(jmp_buf env, int value);
__noreturn void __wrap_longjmp(jmp_buf env, int value);

notrace __noreturn void __wrap_longjmp(jmp_buf env, int value)
{
	fgraph_unwind_to(((const unsigned long *)(const void *)env)[PORT_JMP_BUF_SP]);
	__real_longjmp(env, value);
}
