// SPDX-License-Identifier: MIT
/*
 * Interrupts and NMIs inside guarded callbacks, two deep: each context has guard bits of
 * its own, so what it runs is traced, what its callback calls again is cut, and the
 * context below finds its bits as it left them.
 *
 *	thread		ft_tracee_0 -> callback
 *	interrupt	 |-> context_interrupt -> callback, the same once more
 *	NMI		 `-> kernel_nmi -> callback
 */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"

#include "base/host.h"
#include "base/kallsyms.h"
#include "core/context.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"
#include "patch/site.h"

#define DEEPEST	2
#define ROUNDS	50

static unsigned long calls[DEEPEST + 1], nr_cut, nr_wrong, nr_nmis, nmi_ip;

static noinline void context_interrupt(void *arg)
{
	barrier();
}

/* Where the board has them; at once, because it is to this CPU. */
static notrace void take_nmi(void)
{
	unsigned long before = this_cpu()->nmis;

	if (board_send_nmi(cpu_id()))
		return;
	while (READ_ONCE(this_cpu()->nmis) == before)
		cpu_relax();
	nr_nmis++;
}

/* This context is in its callback, and is cut when it calls what is hooked. */
static notrace void check_bits(unsigned long level)
{
	const struct trace_state *state = host_trace_state();

	nr_wrong += READ_ONCE(state->recursion) != RECURSION_OPS || READ_ONCE(state->context) != level;
	ft_tracee_1(0);
	nr_cut++;
	nr_wrong += READ_ONCE(state->recursion) != RECURSION_OPS || READ_ONCE(state->context) != level;
}

static notrace void deepen(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			   struct ftrace_regs *fregs)
{
	unsigned long level = host_trace_state()->context;

	calls[min(level, (unsigned long)DEEPEST)]++;
	check_bits(level);
	if (ip == nmi_ip || level >= DEEPEST)
		return;
	port_soft_irq(context_interrupt, NULL);
	check_bits(level);
	take_nmi();
	check_bits(level);
}

static struct ftrace_ops op = { .func = deepen, .flags = FTRACE_OPS_FL_RECURSION };

static bool hook(void)
{
	static const char *const names[] = { "ft_tracee_0", "ft_tracee_1", "context_interrupt", "kernel_nmi" };
	bool right = true;

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		right &= ftrace_set_filter(&op, names[i], i == 0) == 1;
	return right && !register_ftrace_function(&op);
}

DEFINE_TEST(ftrace_contexts)
{
	const struct dyn_ftrace *nmi = site_of_function(kallsyms_address("kernel_nmi"));
	unsigned long nmis;

	nmi_ip = nmi ? nmi->ip : 0;
	calls[0] = calls[1] = calls[2] = nr_cut = nr_wrong = nr_nmis = op.recursed = 0;
	report(hook(), "hooked");
	preempt_disable();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		ft_tracee_0(i);
		nr_wrong += host_trace_state()->recursion || host_trace_state()->context;
	}
	preempt_enable();
	report(!unregister_ftrace_function(&op), "off");
	ftrace_free_filter(&op);
	nmis = nr_nmis ? ROUNDS : 0;
	report(nr_nmis == 2 * nmis, "%lu NMIs", nr_nmis);
	report(calls[0] == ROUNDS && calls[1] == ROUNDS + nmis && calls[2] == ROUNDS + nmis,
	       "calls in a thread %lu, above it %lu, above that %lu", calls[0], calls[1], calls[2]);
	report(op.recursed == nr_cut && !nr_wrong, "%lu of %lu calls from callbacks cut, bits wrong %lu times",
	       op.recursed, nr_cut, nr_wrong);
}
