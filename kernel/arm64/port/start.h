// SPDX-License-Identifier: MIT
/*
 * How a further CPU enters the kernel: what boot/arm64, mmu.c and the board
 * that asks the firmware share.
 */
#pragma once

#include "base/types.h"

/* Where the firmware starts the CPU, MMU off, at EL1 or EL2, x0 = struct arm64_start *. (boot/arm64/head.S) */
extern char arm64_secondary_entry[];

/*
 * Put this CPU on other page tables, caches on; code and stack are mapped at
 * their physical addresses in the old and the new ones. @tcr without IPS.
 * (boot/arm64/head.S)
 */
void arm64_enable_mmu(u64 ttbr0, u64 tcr, u64 mair, u64 sctlr, u64 ttbr1);

/*
 * What it needs before it can see memory as we do. Written by the boot CPU and
 * cleaned to the point of coherency, for it is read with caches off.
 */
struct arm64_start {
	u64 ttbr0, ttbr1, tcr, mair, sctlr;
	u64 stack_top;
	u64 struct_cpu;
	u64 cpu;
} __aligned(64);

/**
 * arm64_prepare_start() - fill in and clean the block of one CPU
 * @cpu: its index in machine.cpu_hwid
 * @stack_top: where its stack begins
 *
 * After mmu_init(). Return: physical address of the block, for x0.
 */
unsigned long arm64_prepare_start(unsigned int cpu, unsigned long stack_top);
