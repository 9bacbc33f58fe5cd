// SPDX-License-Identifier: MIT
/* What an ARM926EJ-S has to do for a store to text (TRM, DDI 0198, 9.4). */
#include "tests/guest/text_steps.h"

#define UPKEEP(line)	{ TEXT_STEP_CLEAN_D, line }, { TEXT_STEP_DRAIN, NO_ADDRESS }, \
			{ TEXT_STEP_INVAL_D, line }, { TEXT_STEP_INVAL_I, line }
#define WRITE(at)	{ TEXT_STEP_WRITE, at }, UPKEEP((at) & ~31)
#define SITE(at)	{ TEXT_STEP_WRITE, at }, { TEXT_STEP_WRITE, (at) + 4 }
#define FLUSH		{ TEXT_STEP_DRAIN, NO_ADDRESS }, { TEXT_STEP_SYNC, NO_ADDRESS }

DEFINE_TEST(arm_text_steps)
{
	struct code_block *block = code_pool_alloc(256, "text steps");

	if (!block) {
		report(false, "room in the code pool");
		return;
	}
	CHECK_WRITES("one word", block, 4, OFFSETS(8), WRITE(8), FLUSH);
	CHECK_WRITES("three words", block, 4, OFFSETS(0, 28, 32), WRITE(0), WRITE(28), WRITE(32), FLUSH);
	CHECK_WRITES("a byte", block, 1, OFFSETS(31), WRITE(31), FLUSH);
	CHECK_WRITES("bytes in two lines", block, 4, OFFSETS(30), WRITE(30), UPKEEP(32), FLUSH);
	CHECK_WRITES("nothing", block, 4, {}, FLUSH);
	CHECK_POKES("changes", block, 4, OFFSETS(0, 4, 28, 96), WRITE(0), WRITE(4), WRITE(28), WRITE(96), FLUSH);
	CHECK_POKES("changes of other lengths", block, 2, OFFSETS(2, 31), WRITE(2), WRITE(31), UPKEEP(32), FLUSH);
	CHECK_SITES("sites", block, OFFSETS(0, 28, 96), SITE(0), UPKEEP(0), SITE(28), UPKEEP(0), UPKEEP(32),
		    SITE(96), UPKEEP(96), FLUSH);
	code_pool_free(block);
}
