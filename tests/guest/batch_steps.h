// SPDX-License-Identifier: MIT
/* Every step that a batch of sites has to make, by method; in tests/guest/<isa>/batch_steps.c. */
#pragma once

#include "base/types.h"

#define BATCH_STEPS_SITES	'A'	/* in a pattern: each site's steps */

struct batch_steps {
	const char *method;
	bool one_cpu;		/* with more it goes by another method */
	const char *pattern;	/* of letters, see tests/guest/patch_steps.c */
};

extern const struct batch_steps batch_steps[];
extern const unsigned int nr_batch_steps;

/* The steps by which one site is written. */
const char *batch_site_steps(unsigned long ip);
