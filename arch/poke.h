// SPDX-License-Identifier: MIT
/* The unit in which text changes. */
#pragma once

#include "base/types.h"

#include <asm/insn.h>

/* One change of text: verify @old, then write @new. */
struct text_poke {
	unsigned long addr;
	u8 old[ARCH_INSN_BYTES];	/* before len, so that words are aligned */
	u8 new[ARCH_INSN_BYTES];
	u8 len;				/* bytes, <= ARCH_INSN_BYTES */
};
