// SPDX-License-Identifier: MIT
/* A thousand small traceable functions: patch_tracee_000 .. patch_tracee_999. */
#pragma once

#define NR_PATCH_TRACEES	1000

typedef unsigned int (*patch_tracee_t)(unsigned int x);

/* Function i returns x * 3 + i. */
extern const patch_tracee_t patch_tracees[NR_PATCH_TRACEES];
