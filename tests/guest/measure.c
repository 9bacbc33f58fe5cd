// SPDX-License-Identifier: MIT
/* What the benchmarks measure with. */
#include "tests/test.h"

#include "bench/measure.h"
#include "kernel/board.h"

#define SECOND_NS 1000000000ULL

DEFINE_TEST(measure_ticks)
{
	u64 hz = board_clock_hz();

	report(ticks_to_ns(0) == 0 && ticks_to_ns(1) == SECOND_NS / hz, "one tick");
	report(ticks_to_ns(hz) == SECOND_NS, "a second");
	report(ticks_to_ns(hz + hz / 4) == SECOND_NS + hz / 4 * SECOND_NS / hz, "a part of one");
	report(ticks_to_ns(100000 * hz + 1) == 100000 * SECOND_NS + SECOND_NS / hz, "more than a day");
}
