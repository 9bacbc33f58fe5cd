// SPDX-License-Identifier: MIT
/* The caller in Thumb state, in which nothing is traced. */
#define PASS calls_pass_thumb
#include "tests/guest/calls_caller.h"
