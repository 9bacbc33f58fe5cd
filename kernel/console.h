// SPDX-License-Identifier: MIT
/* The console: whole writes at a time, and an input ring filled by interrupt. */
#pragma once

#include "base/types.h"

/*
 * Write text. What one call writes stays together; a line that somebody left
 * open is ended before somebody else's text. Any context.
 */
void console_write(const char *text, size_t n);

/* The next byte of input, -1 when there is none. Any context but NMI. */
int console_getc(void);

/* Sleep until there is input (one thread at a time). */
void console_wait(void);

/* Times that the UART lost bytes: while there is no room here, it keeps what comes. */
unsigned long console_overruns(void);

/* The receive interrupt: take the bytes that have come, as far as there is room. */
void console_irq(void);

/* The machine is about to end: nobody's lock is waited for any more. */
void console_panic(void);
