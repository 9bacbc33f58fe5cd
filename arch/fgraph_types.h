// SPDX-License-Identifier: MIT
/* What handlers of the function graph get; Linux's words. Apart, because frames contain it. */
#pragma once

#include "base/types.h"

/* The frame itself, so do not keep the pointer. */
struct ftrace_graph_ent {
	unsigned long func;	/* address of the record */
	int depth;		/* of the call among those hooked, from 0 */
};

struct ftrace_graph_ret {
	unsigned long func;
	int depth;
	unsigned long retval;		/* x86 rax, arm64 x0, ARM r0 */
	unsigned long retval_high;	/* x86 rdx, arm64 x1, ARM r1 */
};

static_assert(offsetof(struct ftrace_graph_ret, depth) == offsetof(struct ftrace_graph_ent, depth),
	      "both are the frame's");
