// SPDX-License-Identifier: MIT
/*
 * The vectors: every register survives an interrupt, whatever the alignment of
 * the stack it came on, and C gets an aligned frame that shows them.
 */
#include "tests/test.h"

#include "base/host.h"
#include "kernel/percpu.h"
#include "kernel/port.h"

#include <asm/ptrace.h>

struct seen {
	unsigned int count;
	struct pt_regs regs;
	unsigned long frame;
	bool irqs_on;
	unsigned int depth;
};

static void look(void *arg)
{
	struct cpu *cpu = this_cpu();
	struct seen *seen = arg;

	seen->count++;
	seen->regs = *cpu->irq_regs;
	seen->frame = (unsigned long)cpu->irq_regs;
	seen->irqs_on = irqs_enabled();
	seen->depth = cpu->irq_depth;
	/* Clobber what a handler may. */
	__asm__ volatile("mvn r1, #0\n mvn r2, #0\n mvn r3, #0\n mvn ip, #0\n mvn lr, #0\n cmp r1, #0"
			 : : : "r1", "r2", "r3", "ip", "lr", "cc");
}

/*
 * Registers in a pattern, sp moved down by @shift, then the SWI that port_soft_irq()
 * makes. Return: number of registers that came back changed.
 */
static unsigned int swi_with_pattern(struct seen *seen, unsigned long shift, unsigned long *sp)
{
	register unsigned long r0 __asm__("r0") = (unsigned long)look;
	register struct seen *r1 __asm__("r1") = seen;
	register unsigned long r2 __asm__("r2") = shift;
	register unsigned long r3 __asm__("r3");

	__asm__ volatile("	push	{r4-r11}\n"
			 "	sub	sp, sp, r2\n"
			 "	mov	r4, #4\n	mov r5, #5\n	mov r6, #6\n	mov r7, #7\n"
			 "	mov	r8, #8\n	mov r9, #9\n	mov r10, #10\n	mov r11, #11\n"
			 "	mov	ip, #12\n	mov r3, sp\n"
			 "	svc	#0x42\n"
			 "	sub	r0, sp, r3\n"		/* 0 when sp is right */
			 "	cmp	r4, #4\n	addne r0, r0, #1\n"
			 "	cmp	r5, #5\n	addne r0, r0, #1\n"
			 "	cmp	r6, #6\n	addne r0, r0, #1\n"
			 "	cmp	r7, #7\n	addne r0, r0, #1\n"
			 "	cmp	r8, #8\n	addne r0, r0, #1\n"
			 "	cmp	r9, #9\n	addne r0, r0, #1\n"
			 "	cmp	r10, #10\n	addne r0, r0, #1\n"
			 "	cmp	r11, #11\n	addne r0, r0, #1\n"
			 "	cmp	ip, #12\n	addne r0, r0, #1\n"
			 "	add	sp, r3, r2\n"
			 "	pop	{r4-r11}\n"
			 : "+r"(r0), "+r"(r1), "+r"(r2), "=r"(r3) : : "ip", "lr", "cc", "memory");
	*sp = r3;
	return r0 + (r1 != seen) + (r2 != shift);
}

static void check_at(unsigned long shift)
{
	struct seen seen = { 0 };
	unsigned long sp;
	unsigned int changed = swi_with_pattern(&seen, shift, &sp), i, wrong = 0;

	for (i = 4; i <= 12; i++)
		wrong += seen.regs.r[i] != i;
	report(seen.count == 1 && changed == 0, "sp - %lu: the handler ran once, no register changed", shift);
	report(wrong == 0 && seen.regs.sp == sp, "sp - %lu: the frame shows them", shift);
	report(seen.frame % 8 == 0 && seen.frame + sizeof(struct pt_regs) <= sp, "sp - %lu: an aligned frame", shift);
	report(!seen.irqs_on && seen.depth == 1, "sp - %lu: interrupts off, depth counted", shift);
}

DEFINE_TEST(arm_entry)
{
	unsigned long flags;

	report_prefix_push("interrupts on");
	check_at(0);
	check_at(4);
	report_prefix_pop();
	report_prefix_push("interrupts off");
	flags = irq_save();
	check_at(0);
	check_at(4);
	report(!irqs_enabled(), "still off");
	irq_restore(flags);
	report_prefix_pop();
}

/* All of r0-r12, lr and the flags in a pattern, compared for a while under the tick. */
static unsigned int wait_with_pattern(volatile unsigned long *ticks, unsigned long until)
{
	unsigned long pair[2] = { (unsigned long)ticks, until };
	register unsigned long r0 __asm__("r0") = (unsigned long)pair;

	__asm__ volatile("	push	{r4-r11}\n"
			 "	ldr	r1, [r0, #4]\n"
			 "	ldr	r0, [r0]\n"
			 "	mov	r2, #2\n	mov r3, #3\n	mov r4, #4\n	mov r5, #5\n"
			 "	mov	r6, #6\n	mov r7, #7\n	mov r8, #8\n	mov r9, #9\n"
			 "	mov	r10, #10\n	mov r11, #11\n	mov lr, #14\n"
			 "1:	ldr	ip, [r0]\n"
			 "	cmp	ip, r1\n"
			 "	bhs	2f\n"
			 /* sum of all that must hold: 2 + .. + 11 + 14 = 79 */
			 "	add	ip, r2, r3\n	add ip, ip, r4\n	add ip, ip, r5\n"
			 "	add	ip, ip, r6\n	add ip, ip, r7\n	add ip, ip, r8\n"
			 "	add	ip, ip, r9\n	add ip, ip, r10\n	add ip, ip, r11\n"
			 "	add	ip, ip, lr\n"
			 "	cmp	ip, #79\n"
			 "	beq	1b\n"
			 "2:	ldr	ip, [r0]\n"
			 "	cmp	ip, r1\n"
			 "	movhs	r0, #0\n"
			 "	movlo	r0, #1\n"
			 "	pop	{r4-r11}\n"
			 : "+r"(r0) : : "r1", "r2", "r3", "ip", "lr", "cc", "memory");
	return r0;
}

DEFINE_TEST(arm_irq_registers)
{
	struct cpu *cpu = this_cpu();
	unsigned long start = cpu->ticks;

	report(wait_with_pattern(&cpu->ticks, start + 30) == 0, "registers hold through 30 ticks");
	report(cpu->irq_depth == 0 && !cpu->irq_regs, "no interrupt is open");
}
