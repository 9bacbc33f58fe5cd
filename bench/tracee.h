// SPDX-License-Identifier: MIT
/* The functions whose calls are measured. They do nothing, so that the hook is all there is. */
#pragma once

#include "base/types.h"

typedef void (*tracee_fn)(void);

void tracee_relevant(void);	/* hooked by the relevant ops */
void tracee_irrelevant(void);	/* hooked by the irrelevant ones, never called in a measured loop */
void tracee_nosite(void);	/* the same body, compiled without a call site */
