// SPDX-License-Identifier: MIT
/* What return_to_handler.S knows of the structures that C declares. */
#include "base/kbuild.h"

#include "arch/fgraph.h"
#include "site_words.h"

#define OFFSET(name, member) DEFINE(name, offsetof(struct arm64_partial_regs, member))

void arch_offsets(void);
void arch_offsets(void)
{
	OFFSET(PARTIAL_X0, x[0]);
	OFFSET(PARTIAL_X2, x[2]);
	OFFSET(PARTIAL_X4, x[4]);
	OFFSET(PARTIAL_X6, x[6]);
	OFFSET(PARTIAL_X8, x[8]);
	DEFINE(PARTIAL_BYTES, sizeof(struct arm64_partial_regs));
	DEFINE(FGRAPH_STACK_BIT_NUMBER, __builtin_ctzl(FGRAPH_STACK_BIT));
	DEFINE(SITE_LENGTH, SITE_LENGTH);
}
