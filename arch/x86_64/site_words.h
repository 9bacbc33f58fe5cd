// SPDX-License-Identifier: MIT
/* A site's first byte, and the other four as one word: nop5, or the call of a target in reach. */
#pragma once

#include "arch/arch.h"

#define SITE_LENGTH	ARCH_INSN_BYTES	/* from the record to where a call of it returns */

static always_inline u8 site_head(unsigned long target)
{
	static const u8 nop[] = { X86_NOP5 };

	return target ? X86_CALL : nop[0];
}

static always_inline u32 site_tail(unsigned long ip, unsigned long target)
{
	static const u8 nop[] = { X86_NOP5 };
	u32 tail;

	__builtin_memcpy(&tail, nop + 1, sizeof(tail));
	return target ? (u32)(target - (ip + ARCH_INSN_BYTES)) : tail;
}
