// SPDX-License-Identifier: MIT
/* Accesses that may fault on purpose, for tests and for reading unknown memory. */
#pragma once

#include "base/types.h"

/* True when the access faulted; @p's byte is read into / written from @value. (kernel/<isa>/probe.S) */
bool probe_read_u8(const void *p, u8 *value);
bool probe_write_u8(void *p, u8 value);
