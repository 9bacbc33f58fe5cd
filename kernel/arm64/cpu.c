// SPDX-License-Identifier: MIT
/* This CPU's registers, and its counters. */
#include "kernel/port.h"

#include "base/host.h"
#include "base/print.h"
#include "kernel/percpu.h"

#include <asm/ptrace.h>
#include <port/sysreg.h>
#include <port/trap.h>

static_assert(offsetof(struct cpu, id) == ARM64_CPU_ID, "cpu_id() reads it");

#define CPACR_FPEN	(3u << 20)
#define DAIF_SERROR	4

#define PMCR_E		(1u << 0)	/* on */
#define PMCR_P		(1u << 1)	/* event counters to 0 */
#define PMCR_C		(1u << 2)	/* cycle counter to 0 */
#define PMCR_LC		(1u << 6)	/* cycle counter has 64 bits */
#define PMCNTEN_CYCLES	(1u << 31)
#define PMCNTEN_EVENT0	(1u << 0)
#define EVENT_INST_RETIRED	8

static bool has_pmu, has_inst_retired;

/* Counter 0 has 32 bits: what it had counted at the last look, in 64. */
static u64 insns_seen[MAX_CPUS];

static bool find_pmu(void)
{
	unsigned int version = (read_sysreg(id_aa64dfr0_el1) >> 8) & 0xf;

	return version != 0 && version != 0xf;
}

/* PMU: cycles, and instructions where this CPU can count them. */
static void init_counters(void)
{
	has_pmu = find_pmu();
	if (!has_pmu)
		return;
	has_inst_retired = (read_sysreg(pmceid0_el0) >> EVENT_INST_RETIRED) & 1;
	write_sysreg(pmccfiltr_el0, 0);
	write_sysreg(pmintenclr_el1, ~0u);
	write_sysreg(pmovsclr_el0, ~0u);
	if (has_inst_retired)
		write_sysreg(pmevtyper0_el0, EVENT_INST_RETIRED);
	write_sysreg(pmcntenset_el0, PMCNTEN_CYCLES | (has_inst_retired ? PMCNTEN_EVENT0 : 0));
	write_sysreg(pmcr_el0, read_sysreg(pmcr_el0) | PMCR_E | PMCR_P | PMCR_C | PMCR_LC);
	isb();
}

void port_init_cpu(struct cpu *cpu)
{
	set_this_cpu(cpu);
	write_sysreg(vbar_el1, arm64_vectors);
	write_sysreg(cpacr_el1, CPACR_FPEN);
	write_sysreg(tpidr_el0, 0ul);		/* no shadow stack yet; reset leaves any value */
	write_sysreg(mdscr_el1, 0);
	isb();
	init_counters();
	__asm__ volatile("msr daifclr, %0" : : "i"(DAIF_SERROR) : "memory");
}

u64 cycles_read(void)
{
	isb();		/* not before the instructions in front of us */
	return has_pmu ? read_sysreg(pmccntr_el0) : read_sysreg(cntvct_el0);
}

/* A difference in 32 bits is right across a wrap when we look once every 2^32 instructions. */
u64 insns_read(void)
{
	unsigned long flags;
	u64 *seen, now;

	if (!has_inst_retired)
		return cycles_read();
	flags = irq_save();
	seen = &insns_seen[cpu_id()];
	isb();
	now = *seen += (u32)read_sysreg(pmevcntr0_el0) - (u32)*seen;
	irq_restore(flags);
	return now;
}

void port_show_regs(const struct pt_regs *regs)
{
	unsigned int i;

	pr_info("pc  %016lx %pS\n", regs->pc, (void *)regs->pc);
	pr_info("lr  %016lx %pS\n", regs->x[30], (void *)regs->x[30]);
	pr_info("sp  %016lx pstate %08lx\n", regs->sp, regs->pstate);
	for (i = 0; i < 30; i += 3)
		pr_info("x%-2u %016lx x%-2u %016lx x%-2u %016lx\n", i, regs->x[i],
			i + 1, regs->x[i + 1], i + 2, regs->x[i + 2]);
}
