// SPDX-License-Identifier: MIT
/* Another kind of stack frame than the rest has. */
#define SHAPES frames
#include "tests/guest/calls_shapes.h"
