// SPDX-License-Identifier: MIT
/* The function graph under NMIs: they come at any instruction, and what they run is hooked too. */
#include "tests/test.h"
#include "tests/guest/fgraph_tracees.h"

#include "base/atomic.h"
#include "base/kallsyms.h"
#include "core/fgraph.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"

struct nmi_user {
	struct fgraph_ops graph;
	unsigned long entries, returns, nmi_entries, nmi_returns;
};

static struct nmi_user users[2];
static unsigned long nmi_ip;
static bool sending;

static notrace int count_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops, struct ftrace_regs *fregs)
{
	struct nmi_user *u = container_of(gops, struct nmi_user, graph);

	atomic_inc(ent->func == nmi_ip ? &u->nmi_entries : &u->entries);
	return 1;
}

static notrace void count_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	struct nmi_user *u = container_of(gops, struct nmi_user, graph);

	atomic_inc(ret->func == nmi_ip ? &u->nmi_returns : &u->returns);
}

static int sender(void *arg)
{
	unsigned long failed = 0;

	while (READ_ONCE(sending))
		failed += board_send_nmi(0) != 0;
	return failed != 0;
}

static __attribute__((noipa)) notrace unsigned long call_for(u64 end, unsigned long *calls)
{
	unsigned long wrong = 0;

	while (board_clock() < end)
		for (unsigned long i = 0; i < 100; i++) {
			wrong += fg_a(i) != i + 3;
			wrong += fg_wide(i, i) != (u64)i * 4;
			(*calls)++;
		}
	return wrong;
}

static void stormed(unsigned int nr_users)
{
	u64 ms = cmdline_number("ms", 500, 10, 1000000);
	unsigned long calls = 0, wrong, before;
	struct thread *thread;

	for (unsigned int i = 0; i < nr_users; i++) {
		users[i] = (struct nmi_user){ .graph.entryfunc = count_entry, .graph.retfunc = count_return };
		report(ftrace_set_filter(&users[i].graph.ops, "fg_*", true) > 0 &&
		       ftrace_set_filter(&users[i].graph.ops, "kernel_nmi", false) == 1 &&
		       !register_ftrace_graph(&users[i].graph), "user %u", i);
	}
	before = READ_ONCE(cpus[0].nmis);
	WRITE_ONCE(sending, true);
	thread = thread_create("sender", sender, NULL, 1);
	wrong = call_for(board_clock() + ms * board_clock_hz() / 1000, &calls);
	WRITE_ONCE(sending, false);
	report(!thread_join(thread), "NMIs are sent");
	thread_sleep_ms(20);
	before = READ_ONCE(cpus[0].nmis) - before;
	report(!wrong && calls && before, "%lu calls, %lu wrong results, %lu NMIs", calls, wrong, before);
	for (unsigned int i = 0; i < nr_users; i++) {
		struct nmi_user *u = &users[i];

		report(!unregister_ftrace_graph(&u->graph), "user %u leaves", i);
		ftrace_free_filter(&u->graph.ops);
		report(u->entries == 4 * calls && u->returns == u->entries, "%lu entries, %lu returns",
		       u->entries, u->returns);
		report(u->nmi_entries == before && u->nmi_returns == before, "%lu and %lu of the NMI's own",
		       u->nmi_entries, u->nmi_returns);
	}
}

static int pinned(void *arg)
{
	stormed(1);
	stormed(2);
	return 0;
}

DEFINE_TEST(x86_fgraph_nmi)
{
	const struct dyn_ftrace *rec = site_of_function(kallsyms_address("kernel_nmi"));

	nmi_ip = rec ? rec->ip : 0;
	if (smp_online() < 2)
		report_skip("needs another CPU to send");
	else
		thread_join(thread_create("calls", pinned, NULL, 0));
}
