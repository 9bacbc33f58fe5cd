// SPDX-License-Identifier: MIT
/* Where boot/ hands over, and where a machine ends up that goes on for ever. */
#pragma once

#include "base/types.h"

/**
 * kernel_main() - the boot CPU's way from a stack and zeroed bss to the end
 * @boot_arg: what the boot loader left (address of boot info, device tree, ATAGs)
 *
 * Interrupts off.
 */
__noreturn void kernel_main(unsigned long boot_arg);

/* Another CPU, on the stack given to board_start_cpu(); interrupts off. */
__noreturn void kernel_secondary_main(unsigned int cpu);

/*
 * Weak, and empty: where an image's own code runs on the boot CPU's way up. Before the runtime
 * starts; and behind it, before interrupts, other CPUs and threads.
 */
void boot_before_runtime(void);
void boot_before_smp(void);

/* One look at the machine and at us, on the console. */
void boot_report(void);

/**
 * idle_and_echo() - nothing more to do: give back what is typed
 *
 * So that one sees that input works. Says "ready:" first, which is what programs
 * that type wait for. Thread context.
 */
__noreturn void idle_and_echo(void);
