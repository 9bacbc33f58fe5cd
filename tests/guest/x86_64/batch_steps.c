// SPDX-License-Identifier: MIT
/* x86-64: caches follow stores by themselves, so writes, rounds and touch are all. */
#include "tests/guest/batch_steps.h"

#define ROUND	"s"

const struct batch_steps batch_steps[] = {
	{ "breakpoint", false, "www" ROUND "www" ROUND "www" ROUND "ttt" },
	{ "atomic", false, "www" ROUND "ttt" },
	/* Within the one round each part is answered by all that are parked. */
	{ "stop", false, "www" ROUND "www" ROUND "www" ROUND "ttt" },
};
const unsigned int nr_batch_steps = ARRAY_SIZE(batch_steps);

/* First byte and tail. */
const char *batch_site_steps(unsigned long ip)
{
	return "ww";
}
