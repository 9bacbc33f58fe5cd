// SPDX-License-Identifier: MIT
/* Trampolines, sites and unwinding of arm64; see tests/guest/probe.h. */
#include "tests/guest/arm64/probe.h"

#include "tests/guest/probe.h"
