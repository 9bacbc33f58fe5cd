// SPDX-License-Identifier: MIT
/*
 * Functions that sign their return addresses, with the signing switched on for them:
 * hooks leave the pad, the signature and the way back alone.
 */
#include "tests/guest/arm64/pac.h"

#include "tests/test.h"
#include "tests/guest/calls.h"

#include "core/ftrace.h"
#include "kernel/thread.h"
#include "patch/site.h"
#include "patch/text_poke.h"

#include <port/sysreg.h>

#define SCTLR_ENIA	(1ul << 31)
#define ISAR1_ADDRESS	0xff0ul		/* APA, API: which algorithm; 0 = none */
#define CALLS		100

static unsigned long hits;

static notrace void count(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			  struct ftrace_regs *fregs)
{
	hits++;
}

/* Does signing change an address? pacia1716 is a hint: a nop while it is off. */
static notrace bool is_signing(void)
{
	unsigned long in = (unsigned long)is_signing, out;

	__asm__ volatile("mov x17, %1\n\tmov x16, #42\n\thint #8\n\tmov %0, x17"
			 : "=r"(out) : "r"(in) : "x16", "x17");
	return in != out;
}

/* Only code that is compiled for it signs: all other goes on as ever. */
static notrace unsigned int call_signed(bool *signing)
{
	unsigned int wrong = 0;
	unsigned long sctlr;

	preempt_disable();
	sctlr = read_sysreg(sctlr_el1);
	write_sysreg(s3_0_c2_c1_0, 0x123456789abcdef0ul);	/* APIAKey, both halves */
	write_sysreg(s3_0_c2_c1_1, 0x0fedcba987654321ul);
	write_sysreg(sctlr_el1, sctlr | SCTLR_ENIA);
	__asm__ volatile("isb" : : : "memory");
	*signing = is_signing();
	for (unsigned long i = 0; i < CALLS; i++)
		wrong += pac_outer(i) != i + 3;
	write_sysreg(sctlr_el1, sctlr);
	__asm__ volatile("isb" : : : "memory");
	preempt_enable();
	return wrong;
}

static void call_with(unsigned int flags, unsigned int users)
{
	struct ftrace_ops op = { .func = count, .flags = flags };
	unsigned int wrong = 0;
	bool signing = false;
	int err;

	hits = 0;
	err = ftrace_set_filter(&op, "pac_*", true) == 2 ? 0 : -1;
	if (!err)
		err = register_ftrace_function(&op);
	if (!err && !calls_graph_on(users, "pac_*"))
		err = -1;
	if (!err)
		wrong = call_signed(&signing);
	wrong += calls_graph_off(users, 2 * CALLS);
	report(!err && signing && !wrong && hits == 2 * CALLS,
	       "flags %x, %u users of the graph: signing %d, %u wrong, %lu calls (%d)", flags, users, signing, wrong,
	       hits, err);
	if (!err)
		err = unregister_ftrace_function(&op);
	report(!err, "off: %d", err);
	ftrace_free_filter(&op);
}

/* Without any op beside it a user has code of its own. */
static void call_graph(unsigned int users)
{
	bool signing = false, on = calls_graph_on(users, "pac_*");
	unsigned int wrong = call_signed(&signing);

	wrong += calls_graph_off(users, 2 * CALLS);
	report(on && signing && !wrong, "%u users of the graph alone: signing %d, %u wrong", users, signing, wrong);
}

DEFINE_TEST(arm64_pac)
{
	const struct dyn_ftrace *rec = site_of_function((unsigned long)pac_outer);
	u64 hash = text_hash();

	if (!(read_sysreg(id_aa64isar1_el1) & ISAR1_ADDRESS)) {
		report_skip("this CPU does not sign addresses");
		return;
	}
	report(rec && rec->ip == (unsigned long)pac_outer + 4, "the site lies behind the landing pad");
	call_with(0, 0);
	call_with(FTRACE_OPS_FL_SAVE_REGS, 0);
	call_with(FTRACE_OPS_FL_ALL, 0);
	call_with(FTRACE_OPS_FL_SAVE_REGS, 1);
	call_with(0, 2);
	call_graph(1);
	call_graph(2);
	report(text_hash() == hash, "text is as it was");
}
