// SPDX-License-Identifier: MIT
/* The users of the function graph by number: what frames refer to in place of pointers. */
#pragma once

#include "core/fgraph.h"

struct fgraph_user {
	struct fgraph_ops *gops;	/* NULL: nobody, or gone */
	unsigned int flags;		/* of its ops, as they were before it was registered */
	bool gone;			/* frames of who had the number may be outstanding */
	struct code_block *stub;	/* what is planted for it alone */
	unsigned int call;		/* offset in there of the call of its retfunc */
};

extern struct fgraph_user fgraph_users[FGRAPH_MAX_USERS];
extern struct fgraph_stats fgraph_counts;	/* the first four */

/* Does the site belong to a NOGRAPH_FUNCTION()? Any context. */
bool fgraph_never(unsigned long ip);

/* Call the return handlers of a frame's users. */
void fgraph_call_returns(struct fgraph_frame *frame);

/* Under ftrace_mutex: as unregister_ftrace_graph(), for the ops of a user that the caller has claimed. */
int __must_check fgraph_unregister_claimed(struct ftrace_ops *op);
