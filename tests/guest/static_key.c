// SPDX-License-Identifier: MIT
/* Static keys: which way each branch goes, nested users, limits, early changes, many keys at once. */
#include "patch/static_key.h"

#include "base/bug.h"
#include "base/errno.h"
#include "base/string.h"
#include "bench/many_keys.h"
#include "core/ftrace.h"
#include "core/lock.h"
#include "kernel/cmdline.h"
#include "kernel/main.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/claim.h"
#include "patch/site.h"
#include "patch/text_poke.h"
#include "tests/guest/patch_tracees.h"
#include "tests/test.h"

static DEFINE_STATIC_KEY_FALSE(off_key);
static DEFINE_STATIC_KEY_TRUE(on_key);
static DEFINE_STATIC_KEY_FALSE(crowded);

/* Changed before static_keys_init(), and between that and other CPUs. */
static DEFINE_STATIC_KEY_FALSE(early_on);
static DEFINE_STATIC_KEY_TRUE(early_off);
static DEFINE_STATIC_KEY_FALSE(later_on);
static DEFINE_STATIC_KEY_TRUE(later_off);

/* What the linker leaves of a branch in code that it discards. */
static struct jump_entry discarded
	__used __section("jump_table") __aligned(sizeof(long)) = { .code = 0 };

#define BRANCHES(name, key) \
	static noinline bool name##_likely(void) { return static_branch_likely(key); } \
	static noinline bool name##_unlikely(void) { return static_branch_unlikely(key); } \
	static bool name##_is(bool on) { return name##_likely() == on && name##_unlikely() == on; }

BRANCHES(off_key, &off_key)
BRANCHES(on_key, &on_key)
BRANCHES(crowded, &crowded)
BRANCHES(early_on, &early_on)
BRANCHES(early_off, &early_off)
BRANCHES(later_on, &later_on)
BRANCHES(later_off, &later_off)

static unsigned long poked(void)
{
	struct text_poke_stats last;

	text_poke_stats(NULL, &last);
	return last.pokes;
}

DEFINE_TEST(static_key_branches)
{
	u64 hash = text_hash();

	report(off_key_is(false) && on_key_is(true), "compiled as defined");
	report(!static_key_inc(&off_key.key) && off_key_is(true), "false key: first user turns it on");
	report(poked() == 2, "by its two branches");
	report(!static_key_inc(&off_key.key) && off_key_is(true), "a second one changes nothing");
	report(!static_key_dec(&off_key.key) && off_key_is(true), "nor does his leaving");
	report(!static_key_dec(&off_key.key) && off_key_is(false), "the last one turns it off");
	report(!static_key_dec(&on_key.key) && on_key_is(false), "true key: its first user leaves");
	report(!static_key_inc(&on_key.key) && on_key_is(true), "and is back");
	report(text_hash() == hash, "text is as it was");
}

DEFINE_TEST(static_key_limits)
{
	unsigned int warnings = warn_count;

	report(static_key_dec(&crowded.key) == -EINVAL && crowded_is(false), "no user to take away: refused");
	report(warn_count == warnings + 1, "with a warning");
	warn_count = warnings;
	crowded.key.enabled = 0x7ffffffe;	/* as after very many; text says off, as it was compiled */
	report(!static_key_inc(&crowded.key), "the last user there is room for");
	report(static_key_inc(&crowded.key) == -EOVERFLOW, "one more is refused");
	report(crowded.key.enabled == 0x7fffffff, "and not counted");
	crowded.key.enabled = 0;
	report(crowded_is(false), "no branch was touched");
}

static struct {
	int err, alone, nested, hook_alone, hook_nested;
	bool compiled, patched, counted;
	unsigned long traced;
	bool restored;
} early;

/* The table is not read yet: counts change, and branches go on as they were compiled. */
void boot_before_runtime(void)
{
	early.err = static_key_inc(&early_on.key) || static_key_inc(&early_on.key) || static_key_dec(&early_off.key);
	early.compiled = early_on_is(false) && early_off_is(true);
}

static noinline int early_tracee(int x)
{
	return x + 1;
}

static notrace void count_early(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	early.traced++;
}

static struct ftrace_ops early_ops = { .func = count_early, .name = "early" };

static void inc_in_interrupt(void *err)
{
	*(int *)err = static_key_inc(&later_on.key);
}

static void hook_in_interrupt(void *err)
{
	*(int *)err = register_ftrace_function(&early_ops);
}

/* An interrupt is the only other context there is: it finds no change going on, or one, which it leaves alone. */
static void change_in_interrupts(void)
{
	port_soft_irq(inc_in_interrupt, &early.alone);
	early.err |= static_key_begin() || static_key_queue(&later_on.key, -1);
	port_soft_irq(inc_in_interrupt, &early.nested);
	early.err |= static_key_commit() || later_on_is(true);
	early.err |= ftrace_set_filter(&early_ops, "early_tracee", true) != 1 || ftrace_lock();
	port_soft_irq(hook_in_interrupt, &early.hook_nested);
	ftrace_unlock();
	port_soft_irq(hook_in_interrupt, &early.hook_alone);
}

/* Text is written directly, at once. */
void boot_before_smp(void)
{
	change_in_interrupts();
	early.counted = early_on_is(true) && early_off_is(false);
	early.err |= static_key_inc(&later_on.key) || static_key_dec(&later_off.key);
	early.patched = later_on_is(true) && later_off_is(false);
	early.restored = early_tracee(1) == 2 && early_tracee(2) == 3;
	early.err |= unregister_ftrace_function(&early_ops);
	early.restored &= early_tracee(3) == 4;
	ftrace_free_filter(&early_ops);
}

DEFINE_TEST(static_key_early)
{
	struct static_key_stats stats;

	static_key_stats(&stats);
	report(!early.err, "keys and a hook may change before other CPUs run");
	report(early.compiled, "before init branches are as compiled");
	report(early.counted && early_on_is(true), "a count from before init turned the branches on");
	report(early_off_is(false), "or off");
	report(early.patched && later_on_is(true) && later_off_is(false), "behind it they change at once");
	report(early.alone == 0 && early.nested == -EBUSY, "so do interrupts', unless they find a batch open");
	report(early.hook_alone == 0 && early.hook_nested == -EBUSY, "so does a hook");
	report(early.traced == 2 && early.restored, "a function was hooked: %lu of 3 calls", early.traced);
	report(!static_key_dec(&early_on.key) && early_on_is(true) && !static_key_dec(&early_on.key) &&
	       early_on_is(false), "users from before init leave one by one");
	report(!static_key_inc(&early_off.key) && early_off_is(true), "and come");
	report(stats.refused == 1, "the branch in discarded code is refused and counted");
}

/* Whose bytes: the branches of keys, and call sites. */
DEFINE_TEST(static_key_claims)
{
	static struct text_owner owner = { .name = "a test" };
	unsigned long branch = off_key.key.entries[0].code;
	unsigned long site = site_of_function((unsigned long)test_static_key_branches)->ip;
	unsigned long code = (unsigned long)text_hash;	/* the runtime has no sites */

	report(text_poke_begin() == 0, "a batch opens");
	report(text_owner_of(branch) && text_owner_of(branch) != &text_sites, "a branch is its key's");
	report(text_owner_of(site) == &text_sites, "a call site is the sites'");
	report(text_claim(branch, 1, &owner) == -EBUSY, "a key does not yield");
	report(text_claim(site, 1, &owner) == -EBUSY, "nor does a site");
	report(text_poke_commit() == -EBUSY, "and the batch is refused");
	report(text_poke_begin() == 0 && text_claim(code, 1, &owner) == 0 && text_claim(site, 1, &owner) == -EBUSY &&
	       text_poke_commit() == -EBUSY, "other code with a site: refused");
	report(text_poke_begin() == 0 && !text_owner_of(code) && text_poke_commit() == 0, "so nobody has it");
	report(text_poke_begin() == 0 && text_claim(code, 1, &owner) == 0 && text_poke_commit() == 0,
	       "other code is free");
	report(text_poke_begin() == 0 && text_owner_of(code) == &owner && text_unclaim(code, &owner) == 0 &&
	       text_poke_commit() == 0, "and given back");
}

/* Rounds of one batch that changes @nr keys, which must then all be on or off; a compiler may double a branch. */
static unsigned long rounds_of(unsigned int nr, bool on)
{
	struct text_poke_stats last;
	int err = many_keys_flip(nr, on ? 1 : -1);
	unsigned int taken = many_keys_taken();

	text_poke_stats(NULL, &last);
	report(!err && last.batches == 1 && last.pokes >= nr && taken == (on ? nr : 0),
	       "%u keys %s: %lu rounds, %u branches taken", nr, on ? "on" : "off", last.rounds, taken);
	return last.rounds;
}

DEFINE_TEST(static_key_many)
{
	unsigned long on = rounds_of(1, true), off = rounds_of(1, false);

	report(on == off && rounds_of(NR_MANY_KEYS, true) == on && rounds_of(NR_MANY_KEYS, false) == off,
	       "as many rounds for %u keys as for one", NR_MANY_KEYS);
}

static int from_interrupt, nested_begin;

static void try_from_interrupt(void *arg)
{
	from_interrupt = static_key_inc(&off_key.key);
}

DEFINE_TEST(static_key_contexts)
{
	from_interrupt = 0;
	port_soft_irq(try_from_interrupt, NULL);
	report(from_interrupt == -EBUSY && off_key_is(false), "from an interrupt: busy");
	report(!static_key_begin(), "a batch opens");
	nested_begin = static_key_begin();
	report(nested_begin == -EBUSY, "not twice");
	report(!static_key_queue(&off_key.key, 1) && !static_key_queue(&on_key.key, -1), "two keys queue");
	report(off_key_is(false) && on_key_is(true), "nothing happens before the commit");
	report(!static_key_commit() && off_key_is(true) && on_key_is(false), "then both change");
	report(poked() == 4, "in one batch");
	report(!static_key_begin() && !static_key_queue(&off_key.key, 1) && !static_key_queue(&off_key.key, -1) &&
	       !static_key_queue(&off_key.key, -1) && !static_key_queue(&on_key.key, 1) && !static_key_commit() &&
	       off_key_is(false) && on_key_is(true), "a key may be queued several times");
}

static bool stop;
static unsigned long asked[MAX_CPUS];

static int ask(void *arg)
{
	while (!READ_ONCE(stop)) {
		off_key_likely();
		off_key_unlikely();
		WRITE_ONCE(asked[cpu_id()], asked[cpu_id()] + 1);
		cpu_relax();
	}
	return 0;
}

/* On every CPU; each is asking when we come back. */
static void start_askers(struct thread **threads)
{
	WRITE_ONCE(stop, false);
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		asked[cpu] = 0;
		threads[cpu] = thread_create("asker", ask, NULL, cpu);
		while (threads[cpu] && !READ_ONCE(asked[cpu]))
			thread_sleep_ms(1);
	}
}

static unsigned long stop_askers(struct thread **threads)
{
	unsigned long n = 0;

	WRITE_ONCE(stop, true);
	for (unsigned int cpu = 0; cpu < smp_online(); cpu++) {
		if (threads[cpu])
			thread_join(threads[cpu]);
		n += asked[cpu];
	}
	return n;
}

static void flip_by(const char *method, unsigned int flips)
{
	struct thread *threads[MAX_CPUS];
	unsigned int bad = 0;
	unsigned long n;

	if ((strcmp(method, "atomic") == 0 && !patch_atomic_holds()) || text_poke_select(method)) {
		report_skip("%s: not on this machine", method);
		return;
	}
	start_askers(threads);
	for (unsigned int i = 0; i < flips; i++) {
		bad += static_key_inc(&off_key.key) || !off_key_is(true);
		bad += static_key_dec(&off_key.key) || !off_key_is(false);
	}
	n = stop_askers(threads);
	report(!bad && n, "%s: %u flips under %lu branches of all CPUs", method, flips, n);
}

DEFINE_TEST(static_key_flip)
{
	static const char *const methods[] = { "breakpoint", "atomic", "nosync", "stop", "local" };
	unsigned int flips = cmdline_number("flips", 100, 1, 1000000);
	u64 hash = text_hash();

	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++)
		flip_by(methods[i], flips);
	report(text_poke_select("auto") == 0, "back to the default method");
	report(text_hash() == hash, "text is as it was");
}
