// SPDX-License-Identifier: MIT
/* The recording ISA has no branches of its own: tests make the table's entries by hand. */
#pragma once

#define ARCH_BRANCH_NOP		""
#define ARCH_BRANCH_JUMP	""
#define ARCH_BRANCH_WORDS	".quad "
