// SPDX-License-Identifier: MIT
/*
 * Batches as transactions, and what each method does to text in which order:
 * the log of the recording ISA is compared with what DESIGN's protocol says.
 */
#include "tests/host/arch/fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errno.h"
#include "patch/method.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define NR_FUNCTIONS	300
#define FUNCTION_BYTES	32
#define TARGET		((unsigned long)fake_text + 0x10)

static unsigned long records[NR_FUNCTIONS];
static u8 before[FAKE_TEXT_BYTES];

static void remember(void)
{
	memcpy(before, fake_text, FAKE_TEXT_BYTES);
}

static bool unchanged(void)
{
	return memcmp(before, fake_text, FAKE_TEXT_BYTES) == 0;
}

/* Functions with one site each, started machine, empty log. */
static void make_image(bool two_words, unsigned int cpus)
{
	fake_reset();
	fake_two_words = two_words;
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
		records[i] = fake_function(0x100 + i * FUNCTION_BYTES, "f", FUNCTION_BYTES,
					   fake_compiled_site, sizeof(fake_compiled_site));
	check(sites_init(records, records + NR_FUNCTIONS) == 0);
	check(nr_sites() == NR_FUNCTIONS);
	fake_smp_started = true;
	fake_cpus = cpus;
	fake_nr_events = 0;
	remember();
}

/* Of the sites [@first, @end) each @step-th: with a step of 2 or more each is a span of its own. */
static int switch_some(unsigned int first, unsigned int end, unsigned int step, unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = first; !error && i < end; i += step)
		error = site_queue(site_at(i), target);
	if (error) {
		text_poke_abort();
		return error;
	}
	return text_poke_commit();
}

static int switch_sites(unsigned long target)
{
	return switch_some(0, NR_FUNCTIONS, 1, target);
}

/* Likewise, and they are to be sorted. */
static int switch_backwards(unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = NR_FUNCTIONS; !error && i--;)
		error = site_queue(site_at(i), target);
	if (error) {
		text_poke_abort();
		return error;
	}
	return text_poke_commit();
}

static bool all_targets_are(unsigned long target)
{
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
		if (site_target(site_at(i)) != target)
			return false;
	return true;
}

static bool text_calls(unsigned long target)
{
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++) {
		unsigned long at = records[i] + (fake_two_words ? ARCH_INSN_BYTES : 0);

		if (arch_insn_target((const u8 *)at, at) != target)
			return false;
	}
	return true;
}

/* ---- methods ---- */

static void check_method(const char *name, unsigned int cpus, bool two_words, const char *steps)
{
	struct text_poke_stats last;

	make_image(two_words, cpus);
	check(text_poke_select(name) == 0);
	check(strcmp(text_poke_method_name(), name) == 0);
	check(switch_sites(TARGET) == 0);
	check(strcmp(fake_summary(), steps) == 0);
	check(text_calls(TARGET) && all_targets_are(TARGET));
	text_poke_stats(NULL, &last);
	check(last.batches == 1 && last.sites == NR_FUNCTIONS && last.pokes == 0);
	check(last.bytes == last.sites * ARCH_SITE_BYTES);
	check(last.cache_ops == fake_count(FAKE_WRITE) + fake_count(FAKE_FLUSH));
	check(last.ticks > 0);
	check(last.rounds == fake_count(FAKE_ROUND));
	/* Each change of each site is written, and touched, once. */
	check(fake_count(FAKE_WRITE) % (NR_FUNCTIONS << two_words) == 0);
	check(fake_count(FAKE_TOUCH) == (strchr(steps, 't') ? (unsigned int)NR_FUNCTIONS << two_words : 0u));
	check(switch_sites(TARGET + 16) == 0 && text_calls(TARGET + 16));
	text_poke_stats(NULL, &last);
	check(last.sites == NR_FUNCTIONS);
	check(switch_sites(0) == 0 && unchanged() && all_targets_are(0));
}

static void test_methods(void)
{
	for (int two_words = 0; two_words < 2; two_words++) {
		for (unsigned int cpus = 1; cpus <= 4; cpus += 3) {
			text_poke_set_touch(true);
			check_method("breakpoint", cpus, two_words, "wRwRwRt");
			check_method("stop", cpus, two_words, "Rwt");
			text_poke_set_touch(false);
			check_method("breakpoint", cpus, two_words, "wRwRwR");
			check_method("nosync", cpus, two_words, "wR");
		}
		check_method("local", 1, two_words, "w");
	}
	/* More than one CPU: local is not safe, so the batch goes by stop. */
	check_method("local", 2, false, "Rw");
	text_poke_set_touch(true);
}

/* A limit on the queue parts the batch; atomic sends what crosses by breakpoint. */
static void test_parts(void)
{
	static const unsigned int limits[] = { 1, 7, 16, 299, 300, 301 };

	for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++) {
		unsigned int parts = (NR_FUNCTIONS + limits[i] - 1) / limits[i];

		for (int two_words = 0; two_words < 2; two_words++) {
			make_image(two_words, 1);
			check(text_poke_select("breakpoint") == 0);
			text_poke_set_limit(limits[i]);
			check(switch_sites(TARGET) == 0 && text_calls(TARGET));
			check(fake_count(FAKE_ROUND) == 3 * parts);
			check(switch_sites(0) == 0 && unchanged());
			check(fake_count(FAKE_ROUND) == 6 * parts);
		}
	}
	text_poke_set_limit(0);
}

/* The same where every site is a span of its own, and with other changes behind them. */
static void test_parts_of_both(void)
{
	static const unsigned int limits[] = { 1, 2, 3, 99, 149, 150, 151, 152, 1000 };
	const u8 new[ARCH_INSN_BYTES] = { 'C', 1, 2, 3, 4 };

	for (unsigned int i = 0; i < ARRAY_SIZE(limits); i++) {
		make_image(false, 2);
		check(text_poke_select("breakpoint") == 0);
		text_poke_set_limit(limits[i]);
		check(text_poke_begin() == 0);
		for (unsigned int f = 0; f < NR_FUNCTIONS; f += 2)
			check(site_queue(site_at(f), TARGET) == 0);
		for (unsigned int f = 1; f < 4; f += 2)
			check(text_poke_queue(records[f], (u8 *)records[f], new, sizeof(new)) == 0);
		check(text_poke_commit() == 0);
		check(fake_count(FAKE_ROUND) == 3 * ((152 + limits[i] - 1) / limits[i]));
		check(fake_count(FAKE_WRITE) == 152 * 3);
		for (unsigned int f = 0; f < NR_FUNCTIONS; f++)
			check(arch_insn_target((u8 *)records[f], records[f]) ==
			      (f % 2 == 0 ? TARGET : f < 4 ? records[f] + 0x04030201 : 0));
	}
	text_poke_set_limit(0);
}

/* Who is in a handler may have found the batch, or part, before this one, and the one before that. */
static void check_descriptions_rest(unsigned int nr)
{
	check(fake_nr_published >= nr);
	for (unsigned int i = 2; i < fake_nr_published; i++)
		check(fake_published[i] != fake_published[i - 1] && fake_published[i] != fake_published[i - 2] &&
		      fake_published[i - 1] != fake_published[i - 2]);
}

static void test_descriptions_rest(void)
{
	for (unsigned int limit = 0; limit <= NR_FUNCTIONS; limit += 100) {
		make_image(false, 2);
		check(text_poke_select("breakpoint") == 0);
		text_poke_set_limit(limit);
		for (unsigned int i = 0; i < 4; i++)
			check(switch_sites(i % 2 ? 0 : TARGET) == 0);
		check_descriptions_rest(4 * (limit ? NR_FUNCTIONS / limit : 1));
	}
	text_poke_set_limit(0);
}

static void test_atomic(void)
{
	unsigned long crossing = 0;

	make_image(false, 2);
	check(text_poke_select("atomic") == 0);
	check(switch_sites(TARGET) == 0 && text_calls(TARGET));
	check(strcmp(fake_summary(), "wRt") == 0 && fake_count(FAKE_WRITE) == NR_FUNCTIONS);
	check(switch_sites(0) == 0 && unchanged());

	/* One site in the middle crosses eight bytes. */
	crossing = fake_function(0x5006, "crossing", 32, fake_compiled_site, sizeof(fake_compiled_site));
	remember();
	fake_nr_events = 0;
	check(text_poke_begin() == 0);
	check(site_queue(site_at(0), TARGET) == 0 && site_queue(site_at(1), TARGET) == 0);
	check(text_poke_queue(crossing, (u8 *)crossing, (const u8 *)"J\1\2\3\4", 5) == 0);
	check(text_poke_commit() == 0);
	check(strcmp(fake_summary(), "wRwRwRt") == 0);
	check(fake_count(FAKE_WRITE) == 2 + 3 && memcmp((u8 *)crossing, "J\1\2\3\4", 5) == 0);
	check(arch_insn_target((u8 *)records[1], records[1]) == TARGET);
}

/* Where every other change may not be made under running CPUs. */
static void queue_mixed(u8 opcode)
{
	u8 new[ARCH_INSN_BYTES] = { 'N', 9, 9, 9, 9 };

	make_image(false, 4);
	fake_swappable = true;
	check(text_poke_select("nosync") == 0 && text_poke_begin() == 0);
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++) {
		new[0] = i % 2 ? opcode : 'N';
		check(text_poke_queue(records[i], (u8 *)records[i], new, sizeof(new)) == 0);
	}
	check(text_poke_commit() == 0);
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
		check(*(u8 *)records[i] == (i % 2 ? opcode : 'N') && *(u8 *)(records[i] + 4) == 9);
}

static void test_nosync(void)
{
	bool stopped = false;

	queue_mixed('C');
	check(strcmp(fake_summary(), "wRt") == 0);
	queue_mixed('Q');
	check(strcmp(fake_summary(), "wRwt") == 0);
	/* Those are written inside the one round, and only those. */
	for (unsigned int i = 0; i < fake_nr_events; i++) {
		stopped |= fake_events[i].kind == FAKE_ROUND;
		if (fake_events[i].kind == FAKE_WRITE)
			check((fake_events[i].bytes[0] == 'Q') == stopped);
	}
}

/* Without completion no round; then who retires code makes one, and every site is touched. */
static void test_no_completion(void)
{
	for (int touch = 0; touch < 2; touch++) {
		make_image(false, 4);
		fake_swappable = true;
		text_poke_set_touch(touch);
		text_poke_set_completion(false);
		check(text_poke_select("nosync") == 0 && !text_poke_unsettled());
		check(switch_sites(TARGET) == 0 && text_calls(TARGET));
		check(strcmp(fake_summary(), touch ? "wt" : "w") == 0 && text_poke_unsettled() == touch);
		text_poke_set_completion(true);
		fake_nr_events = 0;
		text_poke_settle();
		check(!text_poke_unsettled() && fake_count(FAKE_TOUCH) == NR_FUNCTIONS);
		check(fake_count(FAKE_WRITE) == 0 && fake_count(FAKE_ROUND) == 0 && text_calls(TARGET));
	}
	/* Other changes nobody could settle: where that is needed they have their round. */
	for (int touch = 0; touch < 2; touch++) {
		make_image(false, 4);
		fake_swappable = true;
		text_poke_set_touch(touch);
		text_poke_set_completion(false);
		check(text_poke_begin() == 0);
		check(text_poke_queue(records[0], (u8 *)records[0], (const u8 *)"C\1\2\3\4", 5) == 0);
		check(text_poke_commit() == 0 && strcmp(fake_summary(), touch ? "wRt" : "w") == 0);
		text_poke_set_completion(true);
	}
	text_poke_set_touch(true);
}

/* Before other CPUs: no round, whatever is selected. */
static void test_direct(void)
{
	make_image(false, 1);
	fake_smp_started = false;
	fake_may_sleep = false;
	check(text_poke_select("breakpoint") == 0);
	check(switch_sites(TARGET) == 0 && text_calls(TARGET));
	check(strcmp(fake_summary(), "w") == 0);
	check(fake_count(FAKE_SYNC) >= 1);
}

/* Every write lies in an opening, and upkeep is complete before it closes. */
static void check_slices(unsigned int most)
{
	unsigned int dirty = 0, open = 0, in_slice = 0, longest = 0;

	for (unsigned int i = 0; i < fake_nr_events; i++) {
		switch (fake_events[i].kind) {
		case FAKE_OPEN:
			open++;
			in_slice = 0;
			break;
		case FAKE_WRITE:
			check(open == 1);
			dirty++;
			longest = ++in_slice > longest ? in_slice : longest;
			break;
		case FAKE_FLUSH:
			dirty = 0;
			break;
		case FAKE_CLOSE:
			open--;
			check(dirty == 0);
			break;
		case FAKE_ROUND:
			check(open == 0 && dirty == 0);
			break;
		default:
			break;
		}
	}
	check(longest > 1 && longest <= most);
}

static void test_slices(void)
{
	make_image(true, 1);
	check(text_poke_select("local") == 0 && switch_sites(TARGET) == 0);
	check_slices(2 * 256);
	make_image(false, 2);
	check(text_poke_select("breakpoint") == 0 && switch_sites(TARGET) == 0);
	check_slices(256);
	/* A span counts as a change. */
	make_image(false, 2);
	check(switch_some(0, NR_FUNCTIONS, 2, TARGET) == 0);
	check_slices(128);
}

/* The two words of a site are never parted by a moment with interrupts on. */
static void test_two_words_in_one_slice(void)
{
	unsigned int writes = 0;

	make_image(true, 1);
	check(text_poke_select("local") == 0 && switch_sites(TARGET) == 0);
	for (unsigned int i = 0; i < fake_nr_events; i++) {
		writes += fake_events[i].kind == FAKE_WRITE;
		if (fake_events[i].kind == FAKE_CLOSE)
			check(writes % 2 == 0);
	}
}

/* The longest since it was last asked for; a batch that only reads has slices too. */
static void test_longest_pause(void)
{
	make_image(false, 2);
	text_poke_longest_pause();
	check(text_poke_longest_pause() == 0);
	check(text_poke_select("stop") == 0 && switch_sites(TARGET) == 0);
	check(text_poke_longest_pause() > 0 && text_poke_longest_pause() == 0);
	check(text_poke_select("auto") == 0);
}

/* ---- the protocol of breakpoints, byte by byte ---- */

static unsigned int round_nr;

static void look_at_text(enum host_round kind)
{
	bool right = true;

	round_nr++;
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++) {
		const u8 *site = (const u8 *)records[i];
		s32 rel = TARGET - records[i];

		right &= site[0] == (round_nr < 3 ? 'B' : 'C');
		right &= memcmp(site + 1, round_nr < 2 ? (const u8 *)"\0\0\0\0" : (const u8 *)&rel, 4) == 0;
	}
	check(right);
}

static void test_breakpoint_steps(void)
{
	make_image(false, 2);
	check(text_poke_select("breakpoint") == 0);
	round_nr = 0;
	fake_before_round = look_at_text;
	check(switch_sites(TARGET) == 0 && round_nr == 3);
	/* Touch comes behind the last round, and touches each change once. */
	check(fake_count(FAKE_TOUCH) == NR_FUNCTIONS);
}

/* A change of one byte is one store: no breakpoint is put in its place. */
static void test_breakpoint_one_byte(void)
{
	make_image(false, 1);
	check(text_poke_select("breakpoint") == 0);
	check(text_poke_begin() == 0);
	check(text_poke_queue(records[0], (const u8 *)"N", (const u8 *)"Z", 1) == 0);
	check(text_poke_commit() == 0);
	check(fake_count(FAKE_WRITE) == 1 && *(u8 *)records[0] == 'Z');
}

/* ---- refusals ---- */

static void test_mismatch(void)
{
	static const unsigned int bad_ones[] = { 0, 1, 150, 255, 256, 257, NR_FUNCTIONS - 1 };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad_ones); i++) {
		struct text_poke_stats last;

		make_image(false, 2);
		fake_corrupt(records[bad_ones[i]] + 3, 0x77);
		remember();
		check(switch_sites(TARGET) == -EINVAL);
		check(unchanged() && all_targets_are(0));
		check(fake_count(FAKE_WRITE) == 0 && fake_count(FAKE_ROUND) == 0);
		check(strstr(fake_console, "f+0x0/0x20") != NULL);
		check(strstr(fake_console, "expected 4e 00 00 00 00") != NULL);
		check(strstr(fake_console, "found    4e 00 00 77 00") != NULL);
		text_poke_stats(NULL, &last);
		check(last.refused == 1 && last.batches == 0 && last.cache_ops == 0);
		/* The next batch is none the worse. */
		fake_corrupt(records[bad_ones[i]] + 3, 0);
		check(switch_sites(TARGET) == 0 && text_calls(TARGET));
	}
}

static int queue(unsigned long addr, unsigned int len)
{
	u8 new[ARCH_INSN_BYTES] = { 'C', 1, 2, 3, 4 };

	return text_poke_queue(addr, (const u8 *)addr, new, len);
}

/* Overlaps in every distance and order, and neighbours that only touch. */
static void test_overlap(void)
{
	for (int distance = -5; distance <= 5; distance++) {
		bool overlaps = distance > -5 && distance < 5;

		make_image(false, 2);
		check(text_poke_begin() == 0);
		check(queue(records[100], 5) == 0);
		check(queue(records[100] + distance, 5) == 0);
		check(text_poke_commit() == (overlaps ? -EBUSY : 0));
		check(unchanged() == overlaps);
		check((strstr(fake_console, "overlap") != NULL) == overlaps);
	}
}

/* A site and another change, likewise; and a site that is named twice. */
static void test_overlap_of_both(void)
{
	for (int distance = -5; distance <= 10; distance++) {
		for (int two_words = 0; two_words < 2; two_words++) {
			bool overlaps = distance > -5 && distance < (two_words ? 10 : 5);

			make_image(two_words, 2);
			check(text_poke_begin() == 0);
			check(site_queue(site_at(99), TARGET) == 0 && site_queue(site_at(100), TARGET) == 0);
			check(queue(records[100] + distance, 5) == 0);
			check(text_poke_commit() == (overlaps ? -EBUSY : 0));
			check(unchanged() == overlaps);
		}
	}
	for (unsigned int again = 50; again <= 52; again++) {
		make_image(false, 2);
		check(text_poke_begin() == 0);
		for (unsigned int i = 50; i <= 52; i++)
			check(site_queue(site_at(i), TARGET) == 0);
		check(site_queue(site_at(again), TARGET) == 0);
		check(text_poke_commit() == -EBUSY && unchanged() && all_targets_are(0));
	}
}

/* A change that reaches over a queued site into the next one, which is not queued. */
static void test_overlap_of_neighbours(void)
{
	unsigned long sites[2];

	fake_reset();
	sites[0] = fake_function(0x100, "a", 6, fake_compiled_site, ARCH_INSN_BYTES);
	sites[1] = fake_function(0x106, "b", 16, fake_compiled_site, ARCH_INSN_BYTES);
	check(sites_init(sites, sites + 2) == 0 && nr_sites() == 2);
	fake_smp_started = true;
	for (unsigned int distance = 1; distance < 6; distance++) {
		remember();
		check(text_poke_begin() == 0 && site_queue(site_at(0), TARGET) == 0);
		check(queue(sites[0] + distance, 5) == 0);
		check(text_poke_commit() == (distance < 5 ? -EBUSY : 0));
		check(unchanged() == (distance < 5));
	}
}

/* A site that cannot be hooked is not written, wherever in a span it stands. */
static void test_marked_site(void)
{
	for (unsigned int bad = 49; bad <= 51; bad++) {
		make_image(false, 2);
		fake_reset();
		fake_unreachable = (unsigned long)fake_text + 0x100 + bad * FUNCTION_BYTES;
		for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
			records[i] = fake_function(0x100 + i * FUNCTION_BYTES, "f", FUNCTION_BYTES,
						   fake_compiled_site, sizeof(fake_compiled_site));
		check(sites_init(records, records + NR_FUNCTIONS) == 0 && site_stats()->unreachable == 1);
		fake_smp_started = true;
		remember();
		check(text_poke_begin() == 0);
		for (unsigned int i = 49; i <= 51; i++)
			check(site_queue(site_at(i), TARGET) == 0);
		check(text_poke_commit() == -ERANGE && unchanged() && all_targets_are(0));
	}
	fake_unreachable = 0;
}

/* The sites that reach a target lie together: where one does not, it is the first or the last. */
static void test_reach_of_ends(void)
{
	for (unsigned int step = 1; step <= 2; step++) {
		for (unsigned int bad = 40; bad <= 60; bad += 20) {
			make_image(false, 2);
			fake_unreachable = site_at(bad)->ip;
			check(switch_some(40, 61, step, TARGET) == -ERANGE && unchanged());
			check(fake_said("target out of branch reach at 0x") == 1);
			fake_unreachable = 0;
			check(switch_some(40, 61, step, TARGET) == 0);
		}
	}
}

/* Parked: every site first a breakpoint, then its tail, then its head, for NMIs that are not parked. */
static void test_stop_steps(void)
{
	unsigned int step = 0, round = 0;

	make_image(false, 2);
	check(text_poke_select("stop") == 0 && switch_sites(TARGET) == 0);
	for (unsigned int i = 0; i < fake_nr_events; i++) {
		const struct fake_event *e = &fake_events[i];

		round += e->kind == FAKE_ROUND;
		if (e->kind != FAKE_WRITE)
			continue;
		step += e->addr == records[0] + (step == 1);
		check(round == 1 && step >= 1 && step <= 3 && e->len == (step == 2 ? 4 : 1));
		check(step == 2 || e->bytes[0] == (step == 1 ? 'B' : 'C'));
	}
	check(step == 3);
	check(text_poke_select("auto") == 0);
}

static void drop_limit(enum host_round kind)
{
	text_poke_set_limit(0);
}

/* A limit that goes while a batch is written holds for this batch. */
static void test_limit_dropped(void)
{
	make_image(false, 2);
	check(text_poke_select("stop") == 0);
	text_poke_set_limit(10);
	fake_before_round = drop_limit;
	check(switch_sites(TARGET) == 0 && fake_count(FAKE_ROUND) == NR_FUNCTIONS / 10);
	check(text_poke_select("auto") == 0);
}

/* What a CPU could not do instead of the breakpoint is not written under running CPUs. */
static void test_not_emulated(void)
{
	static const struct {
		const char *method;
		unsigned long offset;
		unsigned int len;
		u8 new[ARCH_INSN_BYTES];
		int error;
	} cases[] = {
		{ "breakpoint", 0, 5, "C\1\2\3\4", 0 },
		{ "breakpoint", 0, 5, "J\1\2\3\4", 0 },
		{ "breakpoint", 0, 5, "N\0\0\0\0", 0 },
		{ "breakpoint", 0, 1, "Q", 0 },
		{ "breakpoint", 0, 5, "N\1\0\0\0", -EINVAL },
		{ "breakpoint", 0, 5, "Q\0\0\0\0", -EINVAL },
		{ "breakpoint", 0, 2, "N\0", -EINVAL },
		{ "breakpoint", 0, 4, "C\1\2\3", -EINVAL },
		{ "atomic", 0, 5, "Q\0\0\0\0", 0 },
		{ "atomic", 4, 5, "Q\0\0\0\0", -EINVAL },
		{ "stop", 0, 5, "Q\0\0\0\0", 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned long addr;

		make_image(false, 2);
		addr = records[7] + cases[i].offset;
		check(text_poke_select(cases[i].method) == 0 && text_poke_begin() == 0);
		check(site_queue(site_at(3), TARGET) == 0);
		check(text_poke_queue(addr, (u8 *)addr, cases[i].new, cases[i].len) == 0);
		check(text_poke_commit() == cases[i].error);
		check(!cases[i].error || (unchanged() && strstr(fake_console, "nop, call or jump")));
		check(cases[i].error || memcmp((u8 *)addr, cases[i].new, cases[i].len) == 0);
	}
	check(text_poke_select("auto") == 0);
}

static void test_arguments(void)
{
	static u8 elsewhere[8];

	make_image(false, 2);
	check(text_poke_begin() == 0);
	check(queue((unsigned long)elsewhere, 5) == -EFAULT);
	check(queue(records[0], 5) == 0);
	check(text_poke_commit() == -EFAULT && unchanged());
	check(text_poke_begin() == 0);
	check(queue((unsigned long)fake_text + FAKE_TEXT_BYTES + FAKE_POOL_BYTES - 4, 5) == -EFAULT);
	check(text_poke_commit() == -EFAULT);
	check(fake_said("text_poke: neither text nor code pool at 0x") == 2);
	check(text_poke_begin() == 0);
	check(queue(records[0], 0) == -EINVAL && queue(records[0], 6) == -EINVAL);
	check(fake_said("text_poke: a change of no bytes, or of more than one instruction at 0x") == 2);
	check(text_poke_commit() == -EINVAL && unchanged());
	check(text_poke_begin() == 0 && text_poke_commit() == 0);
	check(fake_count(FAKE_WRITE) == 0 && fake_count(FAKE_ROUND) == 0);
	check(text_poke_select("none of these") == -EINVAL && text_poke_select("auto") == 0);
}

static void test_context(void)
{
	unsigned long flags;

	make_image(false, 2);
	fake_may_sleep = false;
	check(text_poke_begin() == -EBUSY);
	fake_may_sleep = true;
	flags = host_irq_save();
	check(text_poke_begin() == -EBUSY);
	host_irq_restore(flags);
	check(text_poke_begin() == 0 && text_poke_begin() == -EBUSY);
	text_poke_abort();
	check(text_poke_begin() == 0 && text_poke_commit() == 0);
	fake_smp_started = false;
	check(text_poke_begin() == 0 && text_poke_begin() == -EBUSY);
	text_poke_abort();
}

/* A site out of reach in the middle: the whole batch is refused. */
static void test_out_of_reach(void)
{
	make_image(false, 2);
	check(text_poke_begin() == 0);
	check(site_queue(site_at(0), TARGET) == 0);
	check(site_queue(site_at(1), FAKE_OUT_OF_REACH) == 0);
	check(site_queue(site_at(2), TARGET) == 0);
	check(text_poke_commit() == -ERANGE);
	check(strstr(fake_console, "out of branch reach") != NULL);
	check(unchanged() && all_targets_are(0));
}

static void test_abort(void)
{
	make_image(false, 2);
	check(text_poke_begin() == 0);
	check(site_queue(site_at(0), TARGET) == 0);
	text_poke_abort();
	check(unchanged() && all_targets_are(0) && fake_nr_events == 0);
}

static void test_unsorted(void)
{
	make_image(false, 2);
	check(text_poke_select("breakpoint") == 0);
	check(text_poke_begin() == 0);
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
		check(site_queue(site_at((i * 7 + 5) % NR_FUNCTIONS), TARGET) == 0);
	check(text_poke_commit() == 0);
	check(text_calls(TARGET) && all_targets_are(TARGET));
	for (unsigned int i = 1, last = 0; i < NR_FUNCTIONS; i++) {
		while (fake_events[last].kind != FAKE_WRITE)
			last++;
		check(fake_events[last].addr == site_at(i - 1)->ip);
		last++;
	}
}

/* A trap is emulated in the part that is being written, and only there. */
static unsigned int emulated[2];

static void hit_both(enum host_round kind)
{
	struct pt_regs regs;

	for (unsigned int i = 0; i < 2; i++) {
		unsigned long flags = host_irq_save();

		regs = (struct pt_regs){ .pc = records[i ? NR_FUNCTIONS - 1 : 0] + ARCH_BREAKPOINT_BYTES };
		emulated[i] += text_poke_trap(&regs) && regs.pc == TARGET;
		host_irq_restore(flags);
	}
}

static void test_traps_of_parts(void)
{
	make_image(false, 2);
	check(text_poke_select("breakpoint") == 0);
	text_poke_set_limit(NR_FUNCTIONS / 2);
	fake_before_round = hit_both;
	check(switch_sites(TARGET) == 0);
	check(emulated[0] == 3 && emulated[1] == 3);
	text_poke_set_limit(0);
}

static u64 hash_then;

static void test_hash(void)
{
	make_image(false, 2);
	hash_then = text_hash();
	check(switch_sites(TARGET) == 0 && text_hash() != hash_then);
	check(switch_sites(0) == 0 && text_hash() == hash_then);
	fake_corrupt((unsigned long)fake_text + FAKE_TEXT_BYTES - 1, 1);
	check(text_hash() != hash_then);
	fake_corrupt((unsigned long)fake_text + FAKE_TEXT_BYTES - 1, 'B');
	/* The code pool is not text. */
	fake_corrupt((unsigned long)fake_text + FAKE_TEXT_BYTES, 1);
	check(text_hash() == hash_then);
}

/*
 * No memory at the n-th allocation, for each n: nothing changed, and the next
 * try does it. A child a case: the arrays keep their size otherwise.
 */
static void one_failure(int after)
{
	int error;

	make_image(false, 2);
	fake_allocations = 0;
	fake_fail_after = after;
	error = switch_backwards(TARGET);
	check(error == (fake_allocations > (unsigned int)after ? -ENOMEM : 0));
	if (error)
		check(unchanged() && all_targets_are(0) && fake_count(FAKE_WRITE) == 0 &&
		      fake_said("text_poke: no memory for a change at 0x") == 1);
	fake_fail_after = -1;
	check(switch_backwards(TARGET) == 0 && text_calls(TARGET));
	exit(check_failures() ? 1 : error ? 2 : 0);
}

static void test_no_memory(void)
{
	int failures = 0, status = 0;

	for (int after = 0; after < 20; after++) {
		pid_t child = fork();

		if (child == 0)
			one_failure(after);
		check(child > 0 && waitpid(child, &status, 0) == child);
		check(WIFEXITED(status) && WEXITSTATUS(status) != 1);
		failures += WIFEXITED(status) && WEXITSTATUS(status) == 2;
	}
	check(failures >= 4);
}

int main(void)
{
	test_no_memory();
	test_methods();
	test_nosync();
	test_no_completion();
	test_parts();
	test_parts_of_both();
	test_descriptions_rest();
	test_traps_of_parts();
	test_atomic();
	test_direct();
	test_slices();
	test_two_words_in_one_slice();
	test_longest_pause();
	test_breakpoint_steps();
	test_breakpoint_one_byte();
	test_mismatch();
	test_overlap();
	test_overlap_of_both();
	test_overlap_of_neighbours();
	test_marked_site();
	test_reach_of_ends();
	test_stop_steps();
	test_limit_dropped();
	test_not_emulated();
	test_arguments();
	test_context();
	test_out_of_reach();
	test_abort();
	test_unsorted();
	test_hash();
	return check_summary();
}
