// SPDX-License-Identifier: MIT
/* A site of ARMv5 with one word of each state: a call through it is no call of an op, and goes right. */
#include "tests/test.h"
#include "tests/guest/patch_tracees.h"

#include "core/ftrace.h"
#include "patch/method.h"

static unsigned long hits;

static notrace void count_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			      struct ftrace_regs *fregs)
{
	hits++;
}

static struct ftrace_ops op = { .func = count_hit, .name = "mixed words" };

static int swap(unsigned long addr, const u8 *old, const u8 *new)
{
	int err = text_poke_begin();

	if (err)
		return err;
	err = text_poke_queue(addr, old, new, ARCH_INSN_BYTES);
	if (!err)
		return text_poke_commit();
	text_poke_abort();
	return err;
}

static void check_mix(const struct text_poke *poke, const char *what)
{
	unsigned long before = hits;
	bool right;

	report(swap(poke->addr, poke->old, poke->new) == 0, "%s", what);
	right = patch_tracees[0](5) == 15 && hits == before;
	report(swap(poke->addr, poke->new, poke->old) == 0 && right, "a call is right, and none of the op");
}

DEFINE_TEST(arm_mixed_words)
{
	unsigned long ip = site_of_function((unsigned long)patch_tracees[0])->ip, target;
	unsigned long user = (unsigned long)patch_tracees[1];
	struct text_poke pokes[ARCH_SITE_POKES];

	report(ftrace_set_filter_ip(&op, user, false, true) == 0 && register_ftrace_function(&op) == 0,
	       "a trampoline, in use elsewhere");
	target = site_target(site_of_function(user));
	report(arch_site_pokes(ip, 0, target, pokes) == 2, "a site is two words");
	check_mix(&pokes[0], "the push of on, the call of off");
	check_mix(&pokes[1], "the branch of off, the call of on");
	report(patch_tracees[1](5) == 16 && hits == 1, "the op is called where it is hooked");
	report(unregister_ftrace_function(&op) == 0, "off");
	ftrace_free_filter(&op);
}
