// SPDX-License-Identifier: MIT
/* The two words of a site, by its target; see site.c. */
#pragma once

#include "a32.h"
#include "arm_mcount.h"

#define CALL_OFFSET	4	/* from the record to the second */
#define SITE_LENGTH	8	/* from the record to where a call of it returns */

static always_inline u32 first_word(unsigned long target)
{
	return target ? A32_PUSH_LR : A32_SKIP;
}

/* Off is the stub's call. */
static always_inline u32 second_word(unsigned long ip, unsigned long target)
{
	return a32_branch(A32_BL, ip + CALL_OFFSET, target ? target : (unsigned long)arm_ftrace_stub);
}
