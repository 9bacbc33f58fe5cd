// SPDX-License-Identifier: MIT
/*
 * The generated functions of the big image (tools/generate-functions): number i
 * returns its argument plus i. Images without them have none of these symbols.
 */
#pragma once

#include "base/types.h"

typedef int (*generated_fn)(int x);

extern const generated_fn generated_functions[] __weak;
extern const unsigned int nr_generated __weak;		/* all */
extern const unsigned int nr_generated_regular __weak;	/* the first of them: aligned sites */

int generated_rare(int x);

/* Keep the optimiser from seeing through a value. */
#define OPAQUE(x)	__asm__("" : "+r"(x))
