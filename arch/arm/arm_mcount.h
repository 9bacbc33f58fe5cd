// SPDX-License-Identifier: MIT
/* Where call sites go that nobody hooks (mcount.S). */
#pragma once

/* Enters with the site's push on the stack: takes it off and returns behind the site. */
void arm_ftrace_stub(void);

/* The same, by the name that -pg calls. */
void __gnu_mcount_nc(void);
