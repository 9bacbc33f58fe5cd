// SPDX-License-Identifier: MIT
/* Mutant: what a site calls now is not remembered. */
#include "patch/method.h"

void __real_sites_batch_done(bool committed);

void sites_batch_done(bool committed)
{
	__real_sites_batch_done(false);
}
