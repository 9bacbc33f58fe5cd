// SPDX-License-Identifier: MIT
/* The caller as everything else is compiled. */
#define PASS calls_pass
#include "tests/guest/calls_caller.h"
