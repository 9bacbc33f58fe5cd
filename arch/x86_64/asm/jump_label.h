// SPDX-License-Identifier: MIT
/* What patch/static_key.h writes of a static branch, for the assembler. */
#pragma once

/* Its two instructions, and the directive for a table of words. */
#define ARCH_BRANCH_NOP		".byte 0x0f, 0x1f, 0x44, 0x00, 0x00"
#define ARCH_BRANCH_JUMP	".byte 0xe9; .long %l[jumped] - (. + 4)"
#define ARCH_BRANCH_WORDS	".balign 8; .quad "
