// SPDX-License-Identifier: MIT
/* Leaves of x86-64: one written in C; and counters that NMIs hit too. */
#include "tests/test.h"
#include "tests/guest/ftrace_tracees.h"
#include "tests/guest/x86_64/step.h"

#include "base/atomic.h"
#include "base/errno.h"
#include "base/host.h"
#include "core/ftrace.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "patch/site.h"

static unsigned long nr_leaf_calls;

/* The compiler saves whatever it uses; here all that a function may destroy. */
static notrace __attribute__((no_caller_saved_registers)) void c_leaf(void)
{
	nr_leaf_calls++;
	__asm__ volatile("" : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
}

static notrace void beside(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			   struct ftrace_regs *fregs)
{
	atomic_inc((unsigned long *)op->private);
}

static void must(int err, const char *what)
{
	if (err)
		report(false, "%s: %d", what, err);
}

static bool results_are_right(unsigned long times)
{
	bool right = true;

	for (unsigned long n = 0; n < times; n++)
		right &= ft_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385 && ft_tracee_1(n) == n + 1;
	return right;
}

DEFINE_TEST(x86_c_leaf)
{
	static unsigned long calls;
	static struct ftrace_ops leaf = { .func = (ftrace_func_t)c_leaf, .flags = FTRACE_OPS_FL_LEAF };
	static struct ftrace_ops callback = { .func = beside, .private = &calls };

	nr_leaf_calls = calls = 0;
	must(ftrace_set_filter(&leaf, "ft_arguments", true) != 1, "filter");
	must(ftrace_set_filter(&leaf, "ft_tracee_1", false) != 1, "filter");
	must(ftrace_set_filter(&callback, "ft_arguments", true) != 1, "filter");
	must(register_ftrace_function(&leaf), "register");
	report(site_target(site_of_function((unsigned long)ft_tracee_1)) == (unsigned long)c_leaf,
	       "the site calls the C function itself");
	report(results_are_right(100), "arguments and results are right");
	report(nr_leaf_calls == 200, "%lu calls", nr_leaf_calls);
	must(register_ftrace_function(&callback), "register");
	report(results_are_right(100), "beside a callback too");
	report(nr_leaf_calls == 400 && calls == 100, "%lu and %lu calls", nr_leaf_calls, calls);
	must(unregister_ftrace_function(&leaf), "unregister");
	must(unregister_ftrace_function(&callback), "unregister");
	ftrace_free_filter(&leaf);
	ftrace_free_filter(&callback);
}

/* ---- counters, from a thread, interrupts in it, and NMIs in both ------------------------------- */

static unsigned long nr_thread_calls, nr_irq_calls, nr_nmi_calls;
static bool counting;

static notrace void call_from_interrupt(void *arg)
{
	nr_irq_calls++;
	ft_tracee_0(0);
	ft_tracee_1(0);
}

static notrace void call_from_nmi(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				  struct ftrace_regs *fregs)
{
	atomic_inc(&nr_nmi_calls);
	ft_tracee_0(0);
	ft_tracee_1(0);
}

static notrace int send_nmis(void *arg)
{
	while (READ_ONCE(counting)) {
		unsigned long before = READ_ONCE(cpus[0].nmis);

		must(board_send_nmi(0), "NMI");
		while (READ_ONCE(cpus[0].nmis) == before && READ_ONCE(counting))
			cpu_relax();
	}
	return 0;
}

static notrace int call_tracees(void *arg)
{
	unsigned long n, nr = cmdline_number("calls", 20000, 1, 100000000);

	for (n = 0; n < nr || READ_ONCE(nr_nmi_calls) < 100; n++) {
		ft_tracee_0(n);
		ft_tracee_1(n);
		if (n % 16 == 0)
			port_soft_irq(call_from_interrupt, NULL);
	}
	nr_thread_calls = n;
	return 0;
}

/* One counter is alone at its site, the other has a callback beside it. */
DEFINE_TEST(x86_count_nmi)
{
	static unsigned long calls;
	static struct ftrace_ops counters[2], callback, nmi;
	struct thread *caller, *sender;
	unsigned long all;

	if (smp_online() < 2) {
		report_skip("another CPU sends them");
		return;
	}
	calls = nr_irq_calls = nr_nmi_calls = 0;
	callback = (struct ftrace_ops){ .func = beside, .private = &calls };
	nmi = (struct ftrace_ops){ .func = call_from_nmi };
	must(ftrace_set_filter(&callback, "ft_tracee_1", true) != 1, "filter");
	must(ftrace_set_filter(&nmi, "kernel_nmi", true) != 1, "filter");
	for (unsigned int i = 0; i < 2; i++) {
		counters[i] = (struct ftrace_ops){ .flags = FTRACE_OPS_FL_COUNT };
		must(ftrace_set_filter(&counters[i], i ? "ft_tracee_1" : "ft_tracee_0", true) != 1, "filter");
		must(register_ftrace_function(&counters[i]), "register");
	}
	must(register_ftrace_function(&callback), "register");
	must(register_ftrace_function(&nmi), "register");
	WRITE_ONCE(counting, true);
	caller = thread_create("caller", call_tracees, NULL, 0);
	sender = thread_create("sender", send_nmis, NULL, 1);
	thread_join(caller);
	WRITE_ONCE(counting, false);
	thread_join(sender);
	must(unregister_ftrace_function(&nmi), "unregister");
	must(unregister_ftrace_function(&callback), "unregister");
	all = nr_thread_calls + nr_irq_calls + nr_nmi_calls;
	for (unsigned int i = 0; i < 2; i++) {
		must(unregister_ftrace_function(&counters[i]), "unregister");
		report(ftrace_ops_hits(&counters[i]) == all, "counter %u: %lu hits of %lu calls", i,
		       ftrace_ops_hits(&counters[i]), all);
		ftrace_free_filter(&counters[i]);
	}
	report(calls == all && nr_irq_calls && nr_nmi_calls >= 100,
	       "%lu calls of a callback; %lu in interrupts, %lu in NMIs", calls, nr_irq_calls, nr_nmi_calls);
	ftrace_free_filter(&callback);
	ftrace_free_filter(&nmi);
}

/* ---- a counter hit between any two instructions of its own hit ---------------------------------- */

static unsigned long nr_stops;

static unsigned long call_tracee(unsigned long a, unsigned long b)
{
	return ft_tracee_0(a) + b;
}

static notrace void hit_in_between(const struct pt_regs *regs)
{
	size_t pool_bytes;

	if (regs->ip - host_code_pool(&pool_bytes) >= pool_bytes)
		return;
	nr_stops++;
	ft_tracee_0(0);
}

DEFINE_TEST(x86_count_steps)
{
	static struct ftrace_ops counter;

	counter = (struct ftrace_ops){ .flags = FTRACE_OPS_FL_COUNT };
	nr_stops = 0;
	must(ftrace_set_filter(&counter, "ft_tracee_0", true) != 1, "filter");
	must(register_ftrace_function(&counter), "register");
	step_through(call_tracee, 1, hit_in_between);
	report(nr_stops >= 2 && ftrace_ops_hits(&counter) == nr_stops + 1,
	       "%lu hits: one, and one more before each of its %lu instructions", ftrace_ops_hits(&counter), nr_stops);
	must(unregister_ftrace_function(&counter), "unregister");
	ftrace_free_filter(&counter);
}
