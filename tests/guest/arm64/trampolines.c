// SPDX-License-Identifier: MIT
/* Trampolines, sites and unwinding of arm64; see tests/guest/trampolines.inc. */
#include "tests/guest/arm64/probe.h"

#include "tests/guest/trampolines.inc"
#include "tests/guest/probe_site.inc"
#include "tests/guest/unwind.inc"
#include "tests/guest/probe_graph.inc"
