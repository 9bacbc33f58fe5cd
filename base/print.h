// SPDX-License-Identifier: MIT
/*
 * Formatted output for the runtime and for contexts where the C library may
 * not be used: no allocation, no lock, general registers only.
 *
 * Understood: %d %i %u %x %lx %ld %lu %lld %llu %llx %zu %c %s %p %%, width,
 * '0' and '-' flags, precision for %s; and %pS: symbol+0xoff/0xsize.
 */
#pragma once

#include "base/types.h"

/**
 * format() - write formatted text into a buffer
 * @buf: destination, always terminated when @size > 0
 * @size: bytes at @buf
 * @fmt: format, see above
 *
 * Return: bytes the whole text has without its terminator (as snprintf).
 */
int format(char *buf, size_t size, const char *fmt, ...) __printf(3, 4);
int vformat(char *buf, size_t size, const char *fmt, va_list ap);

/**
 * pr_info() - print one message through host_write()
 * @fmt: format; the text is cut at 511 bytes
 *
 * Any context.
 */
void pr_info(const char *fmt, ...) __printf(1, 2);
#define pr_err(fmt, ...)	pr_info("baretrace: error: " fmt, ##__VA_ARGS__)
