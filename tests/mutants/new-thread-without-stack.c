// SPDX-License-Identifier: MIT
/* Mutant: threads that are made while somebody traces have no shadow stack, and nobody is told. */
#include "core/fgraph.h"

void fgraph_thread_create(struct trace_state *state)
{
	state->shadow_sp = 0;
}
