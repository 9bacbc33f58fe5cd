// SPDX-License-Identifier: MIT
/*
 * From boot to the job that the command line asks for.
 *
 * The order is the point: faults report from the first line on, text is patched
 * directly while nothing else runs, and only then come interrupts, other CPUs
 * and threads.
 */
#include "kernel/main.h"

#include "base/bug.h"
#include "base/print.h"
#include "base/string.h"
#include "core/baretrace.h"
#include "core/fgraph.h"
#include "kernel/board.h"
#include "kernel/cmdline.h"
#include "kernel/console.h"
#include "kernel/libc.h"
#include "kernel/mm.h"
#include "kernel/port.h"
#include "kernel/registry.h"
#include "kernel/smp.h"
#include "kernel/thread.h"
#include "linker/sections.h"
#include "patch/text_poke.h"

static __noreturn void refuse_method(const char *name)
{
	const struct text_poke_method *method;

	pr_info("poke_method=%s: this machine has no such method; it has: auto", name);
	for (unsigned int n = 0; (method = text_poke_method_at(n)); n++)
		pr_info(", %s", method->name);
	pr_info("\n");
	board_exit(1);
}

static bool choose_touch(void)
{
	const char *touch = cmdline_get("patch_touch", "auto");

	if (strcmp(touch, "auto") == 0)
		return machine.emulated;
	if (strcmp(touch, "0") == 0 || strcmp(touch, "1") == 0)
		return *touch == '1';
	pr_info("patch_touch=%s: must be 0, 1 or auto\n", touch);
	board_exit(1);
}

static void choose_patching(void)
{
	const char *method = cmdline_get("poke_method", "auto");

	if (cmdline_get("completion", NULL) && !text_poke_find_method("nosync"))
		pr_info("completion: for nosync alone, which this machine does not have\n");
	if (text_poke_select(method))
		refuse_method(method);
	if (strcmp(method, "atomic") == 0 && machine.emulated)
		pr_info("poke_method=atomic: an emulator's other CPUs may run half an instruction\n");
	text_poke_set_touch(choose_touch());
	text_poke_set_limit(cmdline_number("poke_batch", 0, 0, 1u << 30));
	text_poke_set_completion(cmdline_number("completion", 1, 0, 1));
}

static void start_runtime(void)
{
	if (baretrace_init())
		host_panic(NULL, "the tracing runtime did not start");
	choose_patching();
}

/* Runs what was asked for. Return: exit code; none when there is nothing to run. */
static bool run_job(int *code)
{
	const char *tests = cmdline_get("test", NULL), *bench = cmdline_get("bench", NULL);

	if (tests)
		*code = run_tests(tests);
	else if (bench)
		*code = run_bench(bench);
	return tests || bench;
}

__noreturn void idle_and_echo(void)
{
	char c;
	int n;

	pr_info("ready: what you type is echoed\n");
	for (;;) {
		console_wait();
		while ((n = console_getc()) >= 0) {
			c = n == '\r' ? '\n' : n;
			console_write(&c, 1);
		}
	}
}

/* What was put off in a callback or an interrupt. */
static int poll_runtime(void *arg)
{
	for (;;) {
		thread_sleep_ms(50);
		baretrace_poll();
	}
	return 0;
}

/* It never returns. */
NOGRAPH_FUNCTION(poll_runtime);

static __noreturn void main_thread(void)
{
	int code;

	if (!thread_create("baretrace", poll_runtime, NULL, THREAD_ANY_CPU))
		host_panic(NULL, "no memory for the runtime's thread");

	if (run_job(&code)) {
		if (warn_count) {
			pr_info("%u warnings\n", warn_count);
			code = code ? code : 1;
		}
		board_exit(code);
	}
	boot_report();
	cmdline_report_unused();
	idle_and_echo();
}

/* Overridden by tests. No call sites: records would outlive the bodies. */
__weak notrace void boot_before_runtime(void)
{
}

__weak notrace void boot_before_smp(void)
{
}

__noreturn void kernel_main(unsigned long boot_arg)
{
	struct cpu *cpu = &cpus[0];

	cpu->self = cpu;
	cpu->online = true;
	cpu->watching = true;
	port_init_cpu(cpu);
	board_early_init(boot_arg);
	board_discover(boot_arg);
	cmdline_init();
	mm_init();
	mmu_init();
	mmu_unmap_guard((unsigned long)__stack_boot_guard);
	sched_init();
	sched_init_cpu();
	boot_before_runtime();
	start_runtime();
	board_irq_init();
	board_irq_init_cpu();
	board_timer_start(TICK_HZ);
	libc_init();
	boot_before_smp();
	smp_start();
	irq_enable();
	main_thread();
}
