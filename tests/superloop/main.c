// SPDX-License-Identifier: MIT
/*
 * A firmware's main loop that traces one of its own functions: switched on for
 * the middle third of the loop, and every call of that third must be seen.
 */
#include "arch/text_step.h"
#include "base/host.h"
#include "base/print.h"
#include "core/baretrace.h"
#include "patch/text_poke.h"
#include "tests/superloop/machine.h"

#define TURNS	300

/* What the firmware is for: it adds up readings. */
noinline int control_step(int reading)
{
	static int sum;

	sum += reading;
	return sum;
}

static unsigned long seen, argument_sum;

static notrace void on_step(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	seen++;
	argument_sum += ftrace_regs_get_argument(fregs, 0);
}

static struct ftrace_ops step_ops = { .func = on_step, .name = "control_step" };

static int check(bool good, const char *what)
{
	pr_info("%s: superloop: %s\n", good ? "PASS" : "FAIL", what);
	return good ? 0 : 1;
}

/* What base/host.h asks of every host, and this one is to show how. */
static bool round_synchronises(void)
{
	struct text_step_record record = { 0 };
	struct text_step_log log = { .capacity = 1, .records = &record };

	text_step_log = &log;
	host_sync_cpus(HOST_ROUND_TEXT);
	text_step_log = NULL;
	return log.count == 1 && record.step == TEXT_STEP_SYNC;
}

static int run_loop(void)
{
	int failures = 0;
	int sum = 0;

	failures += check(ftrace_set_filter(&step_ops, "control_step", true) == 1, "one function chosen");
	for (int turn = 0; turn < TURNS; turn++) {
		if (turn == TURNS / 3)
			failures += check(!register_ftrace_function(&step_ops), "tracing on");
		if (turn == 2 * TURNS / 3)
			failures += check(!unregister_ftrace_function(&step_ops), "tracing off");
		sum = control_step(turn);
	}
	failures += check(seen == TURNS / 3, "every call of the middle third was seen, no other");
	failures += check(argument_sum == (100 + 199) * 100 / 2, "with its argument");
	failures += check(sum == TURNS * (TURNS - 1) / 2, "and the firmware's own result is right");
	return failures;
}

void superloop_main(void)
{
	u64 hash;
	int failures;

	if (baretrace_init())
		machine_exit(1);
	hash = text_hash();
	failures = check(round_synchronises(), "a round ends with a context synchronisation");
	failures += run_loop();
	failures += check(text_hash() == hash, "text is as it was");
	pr_info("SUMMARY: 8 tests, %d failures, 0 skipped\n", failures);
	machine_exit(failures != 0);
}
