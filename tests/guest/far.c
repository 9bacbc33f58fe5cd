// SPDX-License-Identifier: MIT
/*
 * Sites that a branch to the code pool's end does not reach: for an image whose pool ends just as far
 * from the middle of its text as a branch goes (far.elf).
 */
#include "tests/test.h"

#include "arch/arch.h"
#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "core/ftrace.h"
#include "patch/site.h"
#include "patch/text_poke.h"

static bool reaches_end_of_pool(unsigned long ip)
{
	struct text_poke pokes[ARCH_SITE_POKES];
	unsigned int last = arch_site_pokes(ip, 0, 0, pokes) - 1;
	u8 insn[ARCH_INSN_BYTES];
	size_t bytes;
	unsigned long pool = host_code_pool(&bytes);

	return arch_insn_call(insn, pokes[last].addr, pool + bytes - ARCH_INSN_BYTES) == 0;
}

/* The last site that is out of reach, which must be just below the first that is not. */
static struct dyn_ftrace *find_last_unreachable(void)
{
	unsigned int n = 0, wrong = 0;

	for (unsigned int i = 0; i < nr_sites(); i++) {
		bool marked = site_at(i)->flags & FTRACE_FL_UNREACHABLE;

		wrong += marked == reaches_end_of_pool(site_at(i)->ip) || (marked && n != i);
		n += marked;
	}
	report(n && n < nr_sites() && n == site_stats()->unreachable, "%u of %u sites are out of reach", n, nr_sites());
	report(!wrong, "those below the limit: %u are not as the encoder says", wrong);
	return n && n < nr_sites() ? site_at(n - 1) : NULL;
}

static notrace void do_nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
}

static struct ftrace_ops ops = { .func = do_nothing, .name = "far" };

static void check_filters(const struct dyn_ftrace *far)
{
	struct kallsym sym = { .name = "nothing" };

	report(kallsyms_lookup(far->ip, &sym), "it is in %s", sym.name);
	report(ftrace_set_filter(&ops, sym.name, true) == -EINVAL, "which is refused by its name");
	report(ftrace_set_filter_ip(&ops, far->ip, false, true) == -EINVAL, "and by its address");
	report(ftrace_set_filter_ip(&ops, far[1].ip, false, true) == 0, "the next one is taken");
}

DEFINE_TEST(far_sites)
{
	struct dyn_ftrace *far = find_last_unreachable();
	unsigned int near = nr_sites() - site_stats()->unreachable, on = 0;
	u64 hash = text_hash();
	int taken;

	if (!far)
		return;
	check_filters(far);
	taken = ftrace_set_filter(&ops, "*", true);
	report(taken > 0 && (unsigned int)taken == near, "`*` takes the others: %d", taken);
	report(register_ftrace_function(&ops) == 0, "they are hooked");
	for (unsigned int i = 0; i < nr_sites(); i++)
		on += site_target(site_at(i)) != 0;
	report(on == near && !site_target(far) && site_target(far + 1), "%u are on", on);
	report(unregister_ftrace_function(&ops) == 0 && text_hash() == hash, "and off: text is as it was");
	ftrace_free_filter(&ops);
}
