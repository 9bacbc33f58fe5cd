// SPDX-License-Identifier: MIT
/* What the boot loader and firmware told us about the machine. */
#pragma once

#include "base/types.h"

#define MAX_CPUS	8
#define MAX_MEMORY	32
#define MAX_CMDLINE	1024

struct memory_range {
	u64 start, size;	/* bytes; usable RAM, page aligned */
};

struct machine {
	const char *name;			/* board, for reports */
	unsigned int nr_cpus;			/* that exist, <= MAX_CPUS */
	unsigned int nr_cpus_ignored;		/* more than we take: said in the boot report */
	u64 cpu_hwid[MAX_CPUS];			/* APIC id, MPIDR affinity; [0] is the boot CPU */
	unsigned int nr_memory;
	unsigned int nr_memory_ignored;		/* ranges that found no room in the table */
	struct memory_range memory[MAX_MEMORY];
	char cmdline[MAX_CMDLINE];
	bool emulated;				/* an emulator's translation is under us */
};

extern struct machine machine;

/* Append a range of usable RAM (rounded inwards to pages); counted when the table is full. */
void machine_add_memory(u64 start, u64 size);
