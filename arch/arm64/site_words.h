// SPDX-License-Identifier: MIT
/* The word of a site that changes, by its target; see site.c. */
#pragma once

#include "a64.h"

#ifdef FLAVOUR_pg
#define CALL_OFFSET	0	/* from the record to that word */
#else
#define CALL_OFFSET	4
#endif
#define SITE_LENGTH	(CALL_OFFSET + 4)	/* from the record to where a call of it returns */

/* @call: its address */
static always_inline u32 site_word(unsigned long call, unsigned long target)
{
	return target ? a64_branch(A64_BL, call, target) : A64_NOP;
}
