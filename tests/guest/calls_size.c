// SPDX-License-Identifier: MIT
/* Small and unaligned (-Os). */
#define SHAPES size
#include "tests/guest/calls_shapes.h"
