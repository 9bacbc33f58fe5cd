// SPDX-License-Identifier: MIT
/* A thousand small traceable functions: patch_tracee_000 .. patch_tracee_999. */
#pragma once

#include "base/types.h"

struct ftrace_ops;

#define NR_PATCH_TRACEES	1000

typedef unsigned int (*patch_tracee_t)(unsigned int x);

/* Function i returns x * 3 + i. */
extern const patch_tracee_t patch_tracees[NR_PATCH_TRACEES];

/* Make the first @nr of them an op's filter. Return: 0 or its first error. */
int patch_choose_tracees(struct ftrace_ops *op, unsigned int nr);

/*
 * Does a CPU fetch an instruction as a whole, while another one replaces it by one store? QEMU
 * translates byte by byte, so not when each virtual CPU has a thread; under an instruction
 * counter they take turns: such tests say atomic=1.
 */
bool patch_atomic_holds(void);
