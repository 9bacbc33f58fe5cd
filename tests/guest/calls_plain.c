// SPDX-License-Identifier: MIT
/* As everything else is compiled. */
#define SHAPES plain
#include "tests/guest/calls_shapes.h"
