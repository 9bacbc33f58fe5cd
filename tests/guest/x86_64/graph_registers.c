// SPDX-License-Identifier: MIT
/*
 * tests/guest/graph_registers.inc for x86-64. The probe has no site of its own: it calls
 * what the site of a hooked function calls.
 */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"
#include "tests/guest/spoil.h"
#include "tests/guest/x86_64/trampoline_check.h"
#include "tests/guest/x86_64/trampoline_probe.h"

#include "core/fgraph.h"
#include "patch/site.h"

#define GRAPH_FUNCTION		"fg_leaf"
#define GRAPH_RETURNED_0	PROBE_RETURN_RAX
#define GRAPH_RETURNED_1	PROBE_RETURN_RDX
#define graph_argument(i)	probe_in[PROBE_RDI + (i)]

static bool graph_call(bool planted)
{
	static const struct trampoline_case none = { "graph", 0, 0, false, 0, 0 };
	unsigned long target = site_target(site_of_function((unsigned long)fg_leaf));
	const char *wrong = trampoline_case_run(&none, target, X86_FLAGS_IF);

	if (wrong)
		report_info("%s", wrong);
	return !wrong;
}

#include "tests/guest/graph_registers.inc"
