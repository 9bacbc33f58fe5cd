// SPDX-License-Identifier: MIT
/* Static keys when something goes wrong: branches that are not as compiled, no memory at any step. */
#include "tests/host/arch/fake.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/errno.h"
#include "patch/static_key.h"
#include "patch/text_poke.h"

#define NR_BRANCHES	100	/* of key a; more than a batch has room for at first */

static DEFINE_STATIC_KEY_FALSE(a);
static DEFINE_STATIC_KEY_FALSE(b);
static struct jump_entry table[NR_BRANCHES + 1] __attribute__((section("jump_table"))) = { { 1, 1, 1 } };
static u8 before[FAKE_TEXT_BYTES];

static void make_branch(unsigned int i, struct static_key *key, const void *code)
{
	table[i].code = fake_function(0x200 + i * 32, "branch", 32, code, ARCH_INSN_BYTES);
	table[i].target = table[i].code + 16;
	table[i].key = (unsigned long)key;
}

static void make_image(void)
{
	fake_reset();
	for (unsigned int i = 0; i < NR_BRANCHES; i++)
		make_branch(i, &a.key, fake_compiled_site);
	make_branch(NR_BRANCHES, &b.key, fake_compiled_site);
}

static void start(void)
{
	fake_smp_started = true;
	memcpy(before, fake_text, sizeof(before));
	fake_nr_events = 0;
}

static int change_both(void)
{
	int error = static_key_begin();

	check(error == 0);
	check(static_key_queue(&a.key, 1) == 0 && static_key_queue(&b.key, 1) == 0);
	return static_key_commit();
}

/* Both are off, nothing was written, and no batch is left open. */
static void check_untouched(void)
{
	check(a.key.enabled == 0 && b.key.enabled == 0 && !memcmp(before, fake_text, sizeof(before)));
	check(fake_count(FAKE_WRITE) == 0 && fake_count(FAKE_ROUND) == 0);
	check(text_poke_begin() == 0 && text_poke_commit() == 0);
	check(static_key_begin() == 0 && static_key_commit() == 0);
}

static void check_both_change(void)
{
	check(change_both() == 0 && a.key.enabled == 1 && b.key.enabled == 1);
	for (unsigned int i = 0; i <= NR_BRANCHES; i++)
		check(*(const u8 *)table[i].code == 'J');
	check(static_key_dec(&a.key) == 0 && static_key_dec(&b.key) == 0 && a.key.enabled == 0);
	check(!memcmp(before, fake_text, sizeof(before)));
}

/* No key changes at boot: it is found all the same. */
static int not_as_compiled(int bad)
{
	make_image();
	fake_corrupt(table[bad].code + 2, 0x77);
	memcpy(before, fake_text, sizeof(before));
	check(static_keys_init() == -EINVAL && !memcmp(before, fake_text, sizeof(before)));
	check(fake_said("a static key's branch is not as compiled at 0x") == 1);
	return 0;
}

/* One branch that somebody changed: neither key moves. */
static int one_bad_branch(int unused)
{
	make_image();
	check(static_keys_init() == 0);
	fake_corrupt(table[NR_BRANCHES].code, 'Q');
	start();
	check(change_both() == -EINVAL);
	check_untouched();
	fake_corrupt(table[NR_BRANCHES].code, 'N');
	start();
	check_both_change();
	return 0;
}

/* No memory at the allocation with this number. Return: has it been asked for? */
static int one_failure(int after)
{
	int error;

	make_image();
	check(static_keys_init() == 0);
	start();
	fake_allocations = 0;
	fake_fail_after = after;
	error = change_both();
	check(error == (fake_allocations > (unsigned int)after ? -ENOMEM : 0));
	fake_fail_after = -1;
	if (error)
		check_untouched();
	else
		check(static_key_dec(&a.key) == 0 && static_key_dec(&b.key) == 0);
	check_both_change();
	return error != 0;
}

/* In a child: keys are initialised once, and a batch's arrays keep their size. Return: what it returned. */
static int in_child(int (*test)(int), int argument)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		int answer = test(argument);

		exit(check_failures() ? 1 : 2 + answer);
	}
	check(child > 0 && waitpid(child, &status, 0) == child);
	check(WIFEXITED(status) && WEXITSTATUS(status) >= 2);
	return WEXITSTATUS(status) - 2;
}

int main(void)
{
	int failures = 0;

	for (int after = 0; after < 6; after++)
		failures += in_child(one_failure, after);
	check(failures >= 2);
	for (int bad = 0; bad <= NR_BRANCHES; bad += NR_BRANCHES / 2)
		in_child(not_as_compiled, bad);
	in_child(one_bad_branch, 0);
	return check_summary();
}
