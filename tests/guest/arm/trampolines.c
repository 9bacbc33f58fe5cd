// SPDX-License-Identifier: MIT
/* Trampolines, sites and unwinding of ARM; see tests/guest/probe.h. */
#include "tests/guest/arm/probe.h"

#include "tests/guest/probe.h"
