// SPDX-License-Identifier: MIT
#include "bench/design.h"

#include "base/print.h"
#include "core/dispatch.h"
#include "kernel/cmdline.h"

int choose_design(void)
{
	const char *name = cmdline_get("dispatch", NULL);

	if (!name || !dispatch_select(name))
		return 0;
	pr_err("dispatch=%s: it is set or list\n", name);
	return 1;
}
