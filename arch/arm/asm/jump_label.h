// SPDX-License-Identifier: MIT
/* What patch/static_key.h writes of a static branch, for the assembler. */
#pragma once

/* Its two instructions, and the directive for a table of words. */
#define ARCH_BRANCH_NOP		"nop"
#define ARCH_BRANCH_JUMP	"b %l[jumped]"
#define ARCH_BRANCH_WORDS	".balign 4; .long "
