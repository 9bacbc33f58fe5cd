// SPDX-License-Identifier: MIT
#include "bench/design.h"

#include "base/errno.h"
#include "base/print.h"
#include "core/dispatch.h"
#include "kernel/cmdline.h"

int choose_design(void)
{
	const char *name = cmdline_get("dispatch", NULL), *known;
	int err = name ? dispatch_select(name) : 0;

	if (!err)
		return 0;
	if (err != -EINVAL) {
		pr_err("dispatch=%s: error %d\n", name, err);
		return 1;
	}
	pr_err("dispatch=%s: there is no such design; there are:", name);
	for (unsigned int n = 0; (known = dispatch_name(n)); n++)
		pr_info(" %s", known);
	pr_info("\n");
	return 1;
}
