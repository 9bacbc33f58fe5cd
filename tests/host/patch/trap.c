// SPDX-License-Identifier: MIT
/*
 * CPUs that hit a batch's breakpoints: at each moment of the protocol the new
 * instruction is emulated, later the trap is healed, and nobody else's
 * breakpoint is taken for ours.
 */
#include "tests/host/arch/fake.h"

#include <string.h>

#include "base/errno.h"
#include "patch/method.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#define NR_FUNCTIONS	100
#define TARGET		((unsigned long)fake_text + 0x10)

static unsigned long records[NR_FUNCTIONS], unhooked, elsewhere;

static void make_image(void)
{
	fake_reset();
	for (unsigned int i = 0; i < NR_FUNCTIONS; i++)
		records[i] = fake_function(0x100 + i * 32, "f", 32, fake_compiled_site,
					   sizeof(fake_compiled_site));
	unhooked = records[NR_FUNCTIONS - 1];
	elsewhere = fake_function(0x2000, "elsewhere", 32, "QQQQQQQQ", 8);
	check(sites_init(records, records + NR_FUNCTIONS) == 0);
	fake_smp_started = true;
	fake_nr_events = 0;
	check(text_poke_select("breakpoint") == 0);
}

static bool hit(unsigned long addr, struct pt_regs *regs)
{
	bool handled;
	unsigned long flags = host_irq_save();

	*regs = (struct pt_regs){ .pc = addr + ARCH_BREAKPOINT_BYTES, .link = 0x99 };
	handled = text_poke_trap(regs);
	host_irq_restore(flags);
	return handled;
}

static int switch_sites(unsigned long target)
{
	int error = text_poke_begin();

	for (unsigned int i = 0; !error && i < NR_FUNCTIONS - 1; i++)
		error = site_queue(site_at(i), target);
	return error ? error : text_poke_commit();
}

static unsigned long expected_target;
static unsigned int rounds;

/* Hits on the first, a middle and the last site of the batch. */
static void hit_sites(enum host_round kind)
{
	static const unsigned int which[] = { 0, 50, NR_FUNCTIONS - 2 };
	struct pt_regs regs;

	rounds++;
	for (unsigned int i = 0; i < ARRAY_SIZE(which); i++) {
		unsigned long at = records[which[i]], next = at + ARCH_INSN_BYTES;

		check(hit(at, &regs));
		check(regs.pc == (expected_target ? expected_target : next));
		check(regs.link == (expected_target ? next : 0x99));
	}
	/* Between two changes, and in an address that is no site: not ours. */
	check(!hit(records[0] + 1, &regs) && !hit(records[50] - 1, &regs));
	check(!hit(elsewhere, &regs));
}

static void test_emulation(void)
{
	struct text_poke_stats last;

	make_image();
	fake_before_round = hit_sites;
	rounds = 0;
	expected_target = TARGET;
	check(switch_sites(TARGET) == 0 && rounds == 3);
	text_poke_stats(NULL, &last);
	check(last.traps == 9 && last.late_traps == 0);
	expected_target = TARGET + 32;
	check(switch_sites(TARGET + 32) == 0);
	expected_target = 0;
	check(switch_sites(0) == 0 && rounds == 9);
}

/* A stale breakpoint: memory holds the right byte, the CPU ran the old one. */
static void test_heal(void)
{
	struct text_poke_stats last;
	struct pt_regs regs;

	make_image();
	check(!hit(elsewhere, &regs) && fake_nr_events == 0);
	check(hit(unhooked, &regs) && regs.pc == unhooked && fake_count(FAKE_TOUCH) == 1);
	check(fake_events[1].kind == FAKE_TOUCH && fake_events[1].addr == unhooked);
	check(switch_sites(TARGET) == 0);
	fake_nr_events = 0;
	check(hit(records[7], &regs) && regs.pc == records[7] && fake_count(FAKE_TOUCH) == 1);
	text_poke_stats(NULL, &last);
	check(last.late_traps == 1 && last.traps == 0);
}

/* A breakpoint that is in memory and that no batch wrote is somebody else's. */
static void test_foreign(void)
{
	struct pt_regs regs;

	make_image();
	fake_corrupt(unhooked, 'B');
	check(!hit(unhooked, &regs) && fake_count(FAKE_TOUCH) == 0);
}

/* Not a site: known while its batch lives, and until the next batch's first round. */
static bool still_known[4];

static void hit_old(enum host_round kind)
{
	struct pt_regs regs;

	still_known[rounds++] = hit(elsewhere, &regs);
}

static void test_retired(void)
{
	u8 jump[ARCH_INSN_BYTES];
	struct pt_regs regs;

	make_image();
	check(arch_insn_jump(jump, elsewhere, TARGET) == 0);
	check(text_poke_begin() == 0);
	check(text_poke_queue(elsewhere, (const u8 *)"QQQQQ", jump, sizeof(jump)) == 0);
	check(text_poke_commit() == 0);
	check(hit(elsewhere, &regs) && regs.pc == elsewhere);
	rounds = 0;
	fake_before_round = hit_old;
	check(switch_sites(TARGET) == 0 && rounds == 3);
	check(still_known[0] && !still_known[1] && !still_known[2]);
}

/* A breakpoint that the batch puts there, or has not taken away yet, is its owner's; one that is gone is late. */
static void hit_one_byte(enum host_round kind)
{
	bool there = *(u8 *)elsewhere == 'B';
	struct pt_regs regs;

	check(hit(elsewhere, &regs) == !there && (there || regs.pc == elsewhere));
}

static void test_not_emulated(void)
{
	struct text_poke_stats last;

	make_image();
	fake_before_round = hit_one_byte;
	check(text_poke_begin() == 0);
	check(text_poke_queue(elsewhere, (const u8 *)"Q", (const u8 *)"B", 1) == 0);
	check(text_poke_commit() == 0 && *(u8 *)elsewhere == 'B');
	text_poke_stats(NULL, &last);
	check(last.traps == 0);
	/* Nor where the new byte begins an instruction: the rest of it the engine does not know. */
	check(text_poke_begin() == 0);
	check(text_poke_queue(elsewhere, (const u8 *)"B", (const u8 *)"C", 1) == 0);
	check(text_poke_commit() == 0 && *(u8 *)elsewhere == 'C');
	text_poke_stats(NULL, &last);
	check(last.traps == 0);
}

/*
 * A late trap, in the middle of a batch that changes the same place to what cannot be
 * emulated: there is no breakpoint, so it is healed, as before and behind the batch.
 */
static void hit_late(enum host_round kind)
{
	struct pt_regs regs;

	check(*(u8 *)elsewhere != 'B' && hit(elsewhere, &regs) && regs.pc == elsewhere);
	rounds++;
}

static void test_late_in_a_batch(void)
{
	static const char *const methods[] = { "stop", "atomic" };
	u8 jump[ARCH_INSN_BYTES];

	for (unsigned int i = 0; i < ARRAY_SIZE(methods); i++) {
		make_image();
		check(arch_insn_jump(jump, elsewhere, TARGET) == 0);
		check(text_poke_begin() == 0);
		check(text_poke_queue(elsewhere, (const u8 *)"QQQQQ", jump, sizeof(jump)) == 0);
		check(text_poke_commit() == 0);
		rounds = 0;
		fake_before_round = hit_late;
		check(text_poke_select(methods[i]) == 0 && text_poke_begin() == 0);
		check(text_poke_queue(elsewhere, jump, (const u8 *)"QQQQQ", sizeof(jump)) == 0);
		check(text_poke_commit() == 0 && rounds == 1);
	}
}

/* A batch goes live between a handler's look at it and its look at text: it looks again. */
static struct text_poke late_poke;
static const struct text_poke_batch late_batch = { .pokes = &late_poke, .nr_pokes = 1 };

static void go_live(void)
{
	text_poke_publish(&late_batch);
	fake_corrupt(late_poke.addr, 'B');
}

static void test_live_meanwhile(void)
{
	struct pt_regs regs;

	make_image();
	check(arch_site_pokes(unhooked, 0, TARGET, &late_poke) == 1);
	fake_before_look = go_live;
	check(hit(unhooked, &regs) && regs.pc == TARGET);
	text_poke_retire();
	text_poke_forget();
}

/* Batches without changes make no round: what was known before stays known. */
static void test_known_past_empty_batches(void)
{
	u8 jump[ARCH_INSN_BYTES];
	struct pt_regs regs;

	for (unsigned int limit = 0; limit < 2; limit++) {
		make_image();
		text_poke_set_limit(limit);
		check(arch_insn_jump(jump, elsewhere, TARGET) == 0);
		check(text_poke_begin() == 0);
		check(text_poke_queue(elsewhere, (const u8 *)"QQQQQ", jump, sizeof(jump)) == 0);
		check(text_poke_commit() == 0);
		for (unsigned int i = 0; i < 4; i++) {
			check(text_poke_begin() == 0 && text_poke_commit() == 0);
			check(text_poke_begin() == 0);
			for (unsigned int f = NR_FUNCTIONS; f--;)
				check(site_queue(site_at(f), TARGET) == 0);
			check(hit(elsewhere, &regs) && regs.pc == elsewhere);
			text_poke_abort();
		}
		text_poke_set_limit(0);
	}
}

int main(void)
{
	test_emulation();
	test_heal();
	test_foreign();
	test_retired();
	test_not_emulated();
	test_late_in_a_batch();
	test_live_meanwhile();
	test_known_past_empty_batches();
	return check_summary();
}
