// SPDX-License-Identifier: MIT
/*
 * How a further CPU comes in: boot/x86_64/secondary.S lies in the image, its
 * 16-bit part is copied to a page below 1 MiB. The CPU finds its number by its
 * APIC id in machine.cpu_hwid, takes its stack by exchanging the slot with 0,
 * and enters kernel_secondary_main(). Nobody who comes without being asked, or
 * too late for a second start, gets a stack.
 */
#pragma once

#include "kernel/machine.h"

extern const char secondary_trampoline[], secondary_trampoline_end[];
extern unsigned long secondary_stack[MAX_CPUS];	/* top; 0: not asked, or arrived */
