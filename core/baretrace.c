// SPDX-License-Identifier: MIT
/*
 * Bringing the runtime up: the code pool first, because a record out of its reach
 * is not traceable, then the records, then hooks and keys.
 */
#include "core/baretrace.h"
#include "base/print.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

/* Weak: an image without call sites has no table. */
extern const unsigned long __start_mcount_loc[] __weak;
extern const unsigned long __stop_mcount_loc[] __weak;

int baretrace_init(void)
{
	int err;

	code_pool_init();
	err = text_poke_init();
	if (!err)
		err = sites_init(__start_mcount_loc, __stop_mcount_loc);
	if (!err)
		err = ftrace_init();
	if (!err)
		err = static_keys_init();
	if (err)
		pr_err("start-up failed: %d\n", err);
	return err;
}
