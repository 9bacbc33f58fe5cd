// SPDX-License-Identifier: MIT
/* What return_to_handler.S knows of the structures that C declares. */
#include "base/kbuild.h"

#include "arch/fgraph.h"
#include "site_words.h"

#define OFFSET(name, member) DEFINE(name, offsetof(struct x86_partial_regs, member))

void arch_offsets(void);
void arch_offsets(void)
{
	OFFSET(PARTIAL_SITE_END, site_end);
	OFFSET(PARTIAL_PARENT, parent);
	DEFINE(FGRAPH_STACK_BIT, FGRAPH_STACK_BIT);
	DEFINE(SITE_LENGTH, SITE_LENGTH);
}
