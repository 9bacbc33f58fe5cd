// SPDX-License-Identifier: MIT
/* The interrupt table while a call is stepped through: this CPU's, with one gate of ours. */
#include "tests/guest/x86_64/step.h"

#include "base/host.h"
#include "base/string.h"

struct gate {
	unsigned long low, high;
};

struct table_pointer {
	u16 limit;
	unsigned long base;
} __packed;

#define VECTOR_DEBUG	1
#define GATE_OFFSET	0xffff00000000ffffUL	/* where the address goes in a gate's first word */

static void (*handler)(const struct pt_regs *regs);

void step_taken(const struct pt_regs *regs)
{
	handler(regs);
}

void step_through(step_fn function, unsigned long a, void (*taken)(const struct pt_regs *regs))
{
	static struct gate gates[256] __aligned(16);
	struct table_pointer before, ours = { sizeof(gates) - 1, (unsigned long)gates };
	unsigned long entry = (unsigned long)step_entry, flags = host_irq_save();
	struct gate *gate = &gates[VECTOR_DEBUG];

	handler = taken;
	__asm__ volatile("sidt %0" : "=m"(before));
	memcpy(gates, (const void *)before.base, sizeof(gates));
	gate->low = (gate->low & ~GATE_OFFSET) | (entry & 0xffff) | (entry >> 16 & 0xffff) << 48;
	gate->high = entry >> 32;
	__asm__ volatile("lidt %0" : : "m"(ours) : "memory");
	step_call(function, a, 0);
	__asm__ volatile("lidt %0" : : "m"(before) : "memory");
	host_irq_restore(flags);
}
