// SPDX-License-Identifier: MIT
/* The three things that differ from machine to machine: a byte out, the end, the start. */
#pragma once

#include "base/types.h"

void machine_putc(char c);
__noreturn void machine_exit(int code);

/* start.S comes here with a stack and cleared bss. */
__noreturn void superloop_main(void);
