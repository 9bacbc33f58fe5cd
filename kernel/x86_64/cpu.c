// SPDX-License-Identifier: MIT
/*
 * Per-CPU registers: the GS base, descriptor tables, FPU control.
 *
 * Each CPU has its own descriptor table, since a task state segment is marked
 * busy in it; the interrupt table is one for all.
 */
#include "kernel/percpu.h"
#include "kernel/port.h"

#include <port/shadow.h>
#include <port/vector.h>

#define DESCRIPTOR_CODE		0x00af9b000000ffffULL
#define DESCRIPTOR_DATA		0x00cf93000000ffffULL
#define DESCRIPTOR_TSS		0x0000890000000000ULL	/* available, base and limit added */
#define GATE_INTERRUPT		0x8e00ULL		/* present, ring 0 */

#define DOUBLE_FAULT_IST	1
#define DOUBLE_FAULT_STACK	8192	/* the whole report is made on it */

#define MXCSR_DEFAULT		0x1f80			/* all SIMD exceptions masked */

/* Offsets that <port/cpu.h> has as literals: it cannot include kernel/percpu.h. */
static_assert(offsetof(struct cpu, self) == 0, "this_cpu()");
static_assert(offsetof(struct cpu, current) == 8, "current()");
static_assert(offsetof(struct cpu, id) == 32, "cpu_id()");
static_assert(offsetof(struct cpu, shadow_sp) == HOST_SHADOW_SP, "arch_shadow_sp()");

struct tss {
	u32 reserved0;
	u64 rsp[3];
	u64 reserved1;
	u64 ist[7];		/* 1..7 */
	u64 reserved2;
	u16 reserved3;
	u16 io_map;
} __packed;

struct gate {
	u64 low, high;
};

struct table_pointer {
	u16 limit;
	u64 base;
} __packed;

/* What a CPU's registers point to. */
struct cpu_tables {
	u64 gdt[5];		/* null, code, data, TSS (two words) */
	struct tss tss;
	u8 double_fault_stack[DOUBLE_FAULT_STACK] __aligned(16);
};

static struct cpu_tables cpu_tables[MAX_CPUS] __aligned(64);
static struct gate idt[256] __aligned(16);

extern const char vector_stubs[];	/* vectors.S: one every 16 bytes */

static void idt_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(idt); i++) {
		u64 addr = (unsigned long)vector_stubs + 16 * i;
		u64 ist = i == VECTOR_DOUBLE_FAULT ? DOUBLE_FAULT_IST : 0;

		idt[i].low = (addr & 0xffff) | SELECTOR_CODE << 16 | ist << 32 |
			     GATE_INTERRUPT << 32 | (addr >> 16 & 0xffff) << 48;
		idt[i].high = addr >> 32;
	}
}

static void tss_init(struct cpu_tables *t)
{
	u64 base = (unsigned long)&t->tss;

	t->tss.ist[DOUBLE_FAULT_IST - 1] = (unsigned long)(t->double_fault_stack + DOUBLE_FAULT_STACK);
	t->tss.io_map = sizeof(t->tss);
	t->gdt[3] = DESCRIPTOR_TSS | (sizeof(t->tss) - 1) | (base & 0xffffff) << 16 |
		    (base >> 24 & 0xff) << 56;
	t->gdt[4] = base >> 32;
}

/* The selectors keep their values from boot's table to ours; reload what the CPU has cached. */
static void load_tables(struct cpu_tables *t)
{
	struct table_pointer gdtr = { sizeof(t->gdt) - 1, (unsigned long)t->gdt };
	struct table_pointer idtr = { sizeof(idt) - 1, (unsigned long)idt };

	__asm__ volatile("lgdt %0" : : "m"(gdtr) : "memory");
	__asm__ volatile("pushq %q0; leaq 1f(%%rip), %%rax; pushq %%rax; lretq; 1:"
			 : : "i"(SELECTOR_CODE) : "rax", "memory");
	__asm__ volatile("movl %0, %%ds; movl %0, %%es; movl %0, %%ss" : : "r"(SELECTOR_DATA) : "memory");
	__asm__ volatile("ltr %w0" : : "r"(SELECTOR_TSS) : "memory");
	__asm__ volatile("lidt %0" : : "m"(idtr) : "memory");
}

static void fpu_init(void)
{
	u32 mxcsr = MXCSR_DEFAULT;

	__asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
}

void port_init_cpu(struct cpu *cpu)
{
	struct cpu_tables *t = &cpu_tables[cpu - cpus];

	cpu->self = cpu;
	cpu->id = cpu - cpus;
	set_this_cpu(cpu);

	if (!idt[0].low)
		idt_init();
	t->gdt[1] = DESCRIPTOR_CODE;
	t->gdt[2] = DESCRIPTOR_DATA;
	tss_init(t);
	load_tables(t);
	fpu_init();
}
