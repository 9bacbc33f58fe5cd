// SPDX-License-Identifier: MIT
/* Trampolines, sites and unwinding of ARM; see tests/guest/trampolines.inc. */
#include "tests/guest/arm/probe.h"

#include "tests/guest/trampolines.inc"
#include "tests/guest/probe_site.inc"
#include "tests/guest/unwind.inc"
#include "tests/guest/probe_graph.inc"

#include "arch/arm/arm_mcount.h"

/* A context that stands in the stub is still in the function. */
DEFINE_TEST(arm_unwind_stub)
{
	unsigned long stub = (unsigned long)arm_ftrace_stub;

	if (!have_site())
		return;
	problems = stops = 0;
	expect_chain(stub, (unsigned long)probe_function, (unsigned long)probe_call,
		     (unsigned long)call_probe);
	check_stop(stub, NULL, 1);
	check_stop(stub + 4, NULL, 1);
	report(!problems && stops == 2, "backtrace from each instruction of the stub");
}
