// SPDX-License-Identifier: MIT
/* Call-site records: the form in which patch/ hands a port many sites at once. */
#pragma once

#include "base/types.h"

struct dyn_ftrace {
	unsigned long ip;	/* address of the site */
	u32 flags;
	u32 set;		/* index owned by core; 0 = nobody hooks it */
};

/* Sites, at least one, that follow one another in the table and get one target. */
struct site_span {
	const struct dyn_ftrace *first, *end;
	unsigned long target;		/* 0 = off */
};

#define FTRACE_FL_UNREACHABLE	(1u << 0)	/* code pool out of branch reach: not traceable */
