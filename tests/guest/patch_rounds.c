// SPDX-License-Identifier: MIT
/* What a batch costs the other CPUs: rounds by purpose, counted where their IPIs arrive. */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/code_pool.h"
#include "patch/site.h"
#include "patch/text_poke.h"

struct cost {
	const char *method;
	unsigned int rounds;
};

static const struct cost costs[] = {
	{ "breakpoint", 3 }, { "stop", 1 }, { "nosync", 1 }, { "local", 0 },
};

/* Rounds of a kind that reached each other CPU; all must have had the same number. */
static unsigned long rounds_seen(enum host_round kind)
{
	unsigned int self = host_cpu_id();
	unsigned long n = 0;
	bool first = true;

	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		if (cpu == self)
			continue;
		if (!first && n != cpus[cpu].call_rounds[kind])
			report(false, "CPU %u had another number of rounds", cpu);
		n = cpus[cpu].call_rounds[kind];
		first = false;
	}
	return n;
}

static int switch_tracees(unsigned int n, unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = 0; i < n && !error; i++) {
		struct dyn_ftrace *rec = site_of_function((unsigned long)patch_tracees[i]);

		error = rec ? site_queue(rec, target) : -ENOENT;
	}
	if (!error)
		return text_poke_commit();
	text_poke_abort();
	return error;
}

static void check_batch(const struct cost *c, unsigned int n, unsigned long target)
{
	unsigned long text = rounds_seen(HOST_ROUND_TEXT), code = rounds_seen(HOST_ROUND_CODE);
	struct text_poke_stats last;
	int error = switch_tracees(n, target);

	text = rounds_seen(HOST_ROUND_TEXT) - text;
	code = rounds_seen(HOST_ROUND_CODE) - code;
	text_poke_stats(NULL, &last);
	report(!error && last.rounds == c->rounds && last.batches == 1, "%s, %u sites %s: %lu rounds",
	       c->method, n, target ? "on" : "off", last.rounds);
	if (smp_online() > 1)
		report(text == c->rounds && code == 0, "each other CPU: %lu of text, %lu of code", text, code);
}

DEFINE_TEST(patch_rounds)
{
	static const unsigned int sizes[] = { 1, 100, NR_PATCH_TRACEES };
	size_t pool_bytes;
	unsigned long target = host_code_pool(&pool_bytes);
	u64 hash = text_hash();

	for (unsigned int m = 0; m < ARRAY_SIZE(costs); m++) {
		if (text_poke_select(costs[m].method)) {
			report_skip("%s: not on this ISA", costs[m].method);
			continue;
		}
		/* Nobody calls the tracees meanwhile: the target is not code. */
		for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
			check_batch(&costs[m], sizes[i], target);
			check_batch(&costs[m], sizes[i], 0);
		}
	}
	report(text_poke_select("auto") == 0, "back to the default method");
	report(text_hash() == hash, "text is as it was");
}

DEFINE_TEST(patch_code_pool)
{
	unsigned long text = rounds_seen(HOST_ROUND_TEXT), code = rounds_seen(HOST_ROUND_CODE);
	struct code_block *a = code_pool_alloc(100, "a"), *b = code_pool_alloc(20, "b");
	struct code_pool_stats before, after;
	u8 bytes[100], traps[16];

	report(a && b, "two blocks");
	if (!a || !b)
		return;
	memset(bytes, 0x5a, sizeof(bytes));
	arch_fill_traps(traps, sizeof(traps));
	code_pool_stats(&before);
	code_pool_write(a, bytes, sizeof(bytes));
	code_pool_write(b, bytes, 20);
	code_pool_publish();
	code_pool_publish();
	code_pool_stats(&after);
	report(after.rounds - before.rounds == 1, "one round for both");
	if (smp_online() > 1)
		report(rounds_seen(HOST_ROUND_CODE) - code == 1 && rounds_seen(HOST_ROUND_TEXT) == text,
		       "each other CPU had it");
	report(memcmp((void *)a->start, bytes, sizeof(bytes)) == 0, "the code is there");
	report(code_pool_find(a->start + 99) == a && code_pool_find(b->start) == b, "and is found");
	text = a->start;
	code_pool_free(a);
	code_pool_free(b);
	report(memcmp((void *)text, traps, sizeof(traps)) == 0, "free code traps");
	report(!code_pool_find(text), "and is nobody's");
}

/* ---- other code at the same address ---- */

#define TIMES_EACH	3	/* an emulator keeps what ran */

static noinline unsigned int answer_one(void)
{
	return 1;
}

static noinline unsigned int answer_two(void)
{
	return 2;
}

static unsigned int (*fresh)(void);	/* to be called once; NULL: done */
static unsigned int answer;
static bool no_more;

static int call_fresh(void *arg)
{
	while (!smp_load_acquire(&no_more)) {
		unsigned int (*function)(void) = smp_load_acquire(&fresh);

		if (!function) {
			thread_yield();
			continue;
		}
		answer = function();
		for (unsigned int i = 1; i < TIMES_EACH; i++)
			answer = function() == answer ? answer : 0;
		smp_store_release(&fresh, (unsigned int (*)(void))NULL);
	}
	return 0;
}

/* Code that jumps to @to, called at once by the other CPU. Return: where it was, 0 on an error. */
static unsigned long run_fresh(unsigned int (*to)(void), unsigned int *result)
{
	struct code_block *block = code_pool_alloc(ARCH_INSN_BYTES, "fresh");
	unsigned long at = block ? block->start : 0;
	u8 insn[ARCH_INSN_BYTES];

	if (!block || arch_insn_jump(insn, at, (unsigned long)to))
		return 0;
	code_pool_write(block, insn, sizeof(insn));
	code_pool_publish();
	smp_store_release(&fresh, (unsigned int (*)(void))at);
	while (smp_load_acquire(&fresh))
		thread_yield();
	*result = answer;
	code_pool_free(block);
	return at;
}

/* The pool but for one piece of code, which so is always in the same place. */
static struct code_block *take_the_rest(void)
{
	struct code_pool_stats pool;

	code_pool_stats(&pool);
	return code_pool_alloc(pool.size - pool.used - ALIGN_UP(ARCH_INSN_BYTES, 16u), "the rest");
}

DEFINE_TEST(patch_code_reuse)
{
	unsigned int times = cmdline_number("flips", 200, 1, 10000000), wrong = 0, again = 0;
	struct thread *t = thread_create("fresh", call_fresh, NULL, smp_online() - 1);
	struct code_block *rest = take_the_rest();
	unsigned long last = 0;

	for (unsigned int i = 0; i < times; i++) {
		unsigned int result = 0;
		unsigned long at = run_fresh(i % 2 ? answer_two : answer_one, &result);

		again += at && at == last;
		wrong += !at || result != i % 2 + 1;
		last = at;
	}
	smp_store_release(&no_more, true);
	report(t && thread_join(t) == 0, "a thread on CPU %u", smp_online() - 1);
	report(!wrong && rest && again == times - 1,
	       "%u pieces of code, %u where the one before had been: %u wrong answers", times, again, wrong);
	if (rest)
		code_pool_free(rest);
}
