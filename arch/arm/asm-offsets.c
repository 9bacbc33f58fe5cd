// SPDX-License-Identifier: MIT
/* What return_to_handler.S knows of the structures that C declares. */
#include "base/kbuild.h"

#include "arch/fgraph.h"
#include "site_words.h"

#define OFFSET(name, member) DEFINE(name, offsetof(struct arm_partial_regs, member))

void arch_offsets(void);
void arch_offsets(void)
{
	/* The graph's layout has the two addresses the other way round. */
	OFFSET(GRAPH_SITE_END, parent);
	OFFSET(GRAPH_PARENT, site_end);
	DEFINE(PARTIAL_BYTES, sizeof(struct arm_partial_regs));
	DEFINE(FTRACE_REGS_GRAPH, FTRACE_REGS_GRAPH);
	DEFINE(FGRAPH_STACK_BIT, FGRAPH_STACK_BIT);
	DEFINE(SITE_LENGTH, SITE_LENGTH);
}
