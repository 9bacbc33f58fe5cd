// SPDX-License-Identifier: MIT
/* What arm64 has to do for a store to text (Arm ARM, DDI 0487, B2.4.4). */
#include "tests/guest/text_steps.h"

#define WRITE(at)	{ TEXT_STEP_WRITE, at }, { TEXT_STEP_CLEAN_D, at }
#define FLUSH		{ TEXT_STEP_DRAIN, NO_ADDRESS }, { TEXT_STEP_INVAL_I, NO_ADDRESS }, \
			{ TEXT_STEP_DRAIN, NO_ADDRESS }, { TEXT_STEP_SYNC, NO_ADDRESS }

DEFINE_TEST(arm64_text_steps)
{
	struct code_block *block = code_pool_alloc(256, "text steps");

	if (!block) {
		report(false, "room in the code pool");
		return;
	}
	CHECK_WRITES("one word", block, 4, OFFSETS(8), WRITE(8), FLUSH);
	CHECK_WRITES("three words", block, 4, OFFSETS(0, 60, 64), WRITE(0), WRITE(60), WRITE(64), FLUSH);
	CHECK_WRITES("a byte", block, 1, OFFSETS(63), WRITE(63), FLUSH);
	CHECK_WRITES("bytes in two lines", block, 4, OFFSETS(62), WRITE(62), { TEXT_STEP_CLEAN_D, 65 }, FLUSH);
	CHECK_WRITES("nothing", block, 4, {}, FLUSH);
	CHECK_POKES("changes", block, 4, OFFSETS(0, 4, 96), WRITE(0), WRITE(4), WRITE(96), FLUSH);
	CHECK_POKES("changes of other lengths", block, 2, OFFSETS(2, 63), WRITE(2), WRITE(63),
		    { TEXT_STEP_CLEAN_D, 64 }, FLUSH);
	/* Of a site the second word changes. */
	CHECK_SITES("sites", block, OFFSETS(0, 60, 96), WRITE(4), WRITE(64), WRITE(100), FLUSH);
	code_pool_free(block);
}
