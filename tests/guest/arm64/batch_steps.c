// SPDX-License-Identifier: MIT
/* arm64: each word is cleaned; the caches are invalidated once a slice (Arm ARM, DDI 0487, B2.4.4). */
#include "tests/guest/batch_steps.h"

#define FLUSH	"dids"
#define ROUND	"s"

const struct batch_steps batch_steps[] = {
	{ "nosync", false, "A" FLUSH ROUND "ttt" FLUSH },
	{ "stop", false, "A" FLUSH ROUND },
};
const unsigned int nr_batch_steps = ARRAY_SIZE(batch_steps);

const char *batch_site_steps(unsigned long ip)
{
	return "wc";
}
