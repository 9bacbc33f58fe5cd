// SPDX-License-Identifier: MIT
/* ARMv5: the upkeep of a site's two words is complete before the next site's (DDI 0198, 9.4). */
#include "tests/guest/batch_steps.h"

#define FLUSH	"ds"

const struct batch_steps batch_steps[] = {
	{ "local", true, "A" FLUSH "s" },
	{ "stop", false, "A" FLUSH "s" },
};
const unsigned int nr_batch_steps = ARRAY_SIZE(batch_steps);

/* A line once, both where the words lie in two. */
const char *batch_site_steps(unsigned long ip)
{
	return ip % 32 == 28 ? "wwcdDicdDi" : "wwcdDi";
}
