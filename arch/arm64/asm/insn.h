// SPDX-License-Identifier: MIT
/* Sizes and limits of A64 instructions, for the code above arch/ that stores them. */
#pragma once

#define ARCH_INSN_BYTES		4
#define ARCH_BREAKPOINT_BYTES	4

/* Changes that move a site from one target to another, at most. */
#define ARCH_SITE_POKES		1

/* A branch at address a reaches [a - REACH, a + REACH). */
#define ARCH_BRANCH_REACH	(1UL << 27)

/* Names of the methods that can change text here, best first; see patch/text_poke.h. */
#define ARCH_TEXT_METHODS	"nosync", "stop"
