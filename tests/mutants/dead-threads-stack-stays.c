// SPDX-License-Identifier: MIT
/* Mutant: the shadow stack of a thread that is over stays, with the frames that were on it. */
#include "core/fgraph.h"

void fgraph_thread_free(struct trace_state *state)
{
}
