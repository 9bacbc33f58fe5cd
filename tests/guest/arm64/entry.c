// SPDX-License-Identifier: MIT
/*
 * The vectors and the context switch: every register survives an interrupt, C
 * gets a frame that shows them, and each thread keeps its FP registers.
 */
#include "tests/test.h"

#include "kernel/percpu.h"
#include "kernel/port.h"
#include "kernel/thread.h"

#include <asm/ptrace.h>
#include <port/sysreg.h>

/* All but x0, x1 (arguments), x18 (not ours) and x29 (the compiler's). */
#define REGISTERS "2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,19,20,21,22,23,24,25,26,27,28,30"
#define CLOBBERS "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", \
	"x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "cc", "memory"

#define FILL_REGISTERS "	.irp	n," REGISTERS "\n	mov	x\\n, #1000 + \\n\n	.endr\n"
/* x2 = 0 when all hold what they were filled with. No flag is touched. */
#define CHECK_REGISTERS "	.irp	n," REGISTERS "\n	sub	x\\n, x\\n, #1000 + \\n\n	.endr\n" \
	"	.irp	n," REGISTERS "\n	orr	x2, x2, x\\n\n	.endr\n"

#define NZCV_PATTERN	0xa0000000u

struct seen {
	unsigned int count;
	struct pt_regs regs;
	const struct pt_regs *frame;
	bool irqs_on;
	unsigned int depth;
};

static void look(void *arg)
{
	struct cpu *cpu = this_cpu();
	struct seen *seen = arg;

	seen->count++;
	seen->frame = cpu->irq_regs;
	seen->regs = *cpu->irq_regs;
	seen->irqs_on = irqs_enabled();
	seen->depth = cpu->irq_depth;
	/* Clobber what a handler may. */
	__asm__ volatile(FILL_REGISTERS "	cmp	x2, x2\n" : : : "x0", "x1", "x2", "x3", CLOBBERS);
}

/* The SVC that port_soft_irq() makes, in a pattern. Return: 0 when nothing changed. */
static unsigned long svc_with_pattern(struct seen *seen, unsigned long *nzcv)
{
	register unsigned long x0 __asm__("x0") = (unsigned long)look;
	register unsigned long x1 __asm__("x1") = (unsigned long)seen;
	register unsigned long x2 __asm__("x2") = NZCV_PATTERN;
	register unsigned long x3 __asm__("x3");

	__asm__ volatile("	msr	nzcv, x2\n"
			 FILL_REGISTERS
			 "	svc	#1\n"
			 CHECK_REGISTERS
			 "	mrs	x3, nzcv\n"
			 : "+r"(x0), "+r"(x1), "+r"(x2), "=r"(x3) : : CLOBBERS);
	*nzcv = x3;
	return x2 | (x0 ^ (unsigned long)look) | (x1 ^ (unsigned long)seen);
}

static unsigned int frame_mistakes(const struct pt_regs *regs)
{
	unsigned int wrong = 0;

	for (unsigned int i = 2; i <= 30; i++)
		wrong += i != 18 && i != 29 && regs->x[i] != 1000 + i;
	return wrong;
}

static void check_entry(void)
{
	struct seen seen = { 0 };
	unsigned long nzcv, changed = svc_with_pattern(&seen, &nzcv);

	report(seen.count == 1 && !changed && nzcv == NZCV_PATTERN, "the handler ran once, no register changed");
	report(!frame_mistakes(&seen.regs), "the frame shows them");
	report((unsigned long)(seen.frame + 1) == seen.regs.sp && seen.regs.sp % 16 == 0,
	       "the frame lies right below the interrupted sp");
	report(!seen.irqs_on && seen.depth == 1, "interrupts off, depth counted");
}

DEFINE_TEST(arm64_entry)
{
	unsigned long flags;

	report_prefix_push("interrupts on");
	check_entry();
	report_prefix_pop();
	report_prefix_push("interrupts off");
	flags = irq_save();
	check_entry();
	report(!irqs_enabled(), "still off");
	irq_restore(flags);
	report_prefix_pop();
}

static unsigned long wait_with_pattern(volatile unsigned long *ticks, unsigned long until)
{
	register volatile unsigned long *x0 __asm__("x0") = ticks;
	register unsigned long x1 __asm__("x1") = until;
	register unsigned long x2 __asm__("x2");

	__asm__ volatile(FILL_REGISTERS
			 "1:	ldr	x2, [x0]\n"
			 "	cmp	x2, x1\n"
			 "	b.lo	1b\n"
			 "	mov	x2, #1002\n"
			 CHECK_REGISTERS
			 : "+r"(x0), "+r"(x1), "=r"(x2) : : "x3", CLOBBERS);
	return x2;
}

DEFINE_TEST(arm64_irq_registers)
{
	struct cpu *cpu = this_cpu();

	report(!wait_with_pattern(&cpu->ticks, cpu->ticks + 30), "registers hold through 30 ticks");
	report(cpu->irq_depth == 0 && !cpu->irq_regs, "no interrupt is open");
}

#define VECTOR_REGISTERS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
#define FPCR_ROUNDING_SHIFT 22

/* Both halves of every vector register in a pattern of ours. No other code of this thread uses them. */
static void fill_vectors(unsigned long pattern)
{
	__asm__ volatile("	.irp	n," VECTOR_REGISTERS "\n"
			 "	dup	v\\n\\().2d, %0\n"
			 "	.endr\n" : : "r"(pattern));
}

static unsigned long changed_vectors(unsigned long pattern)
{
	unsigned long changed = 0, scratch;

	__asm__ volatile("	.irp	n," VECTOR_REGISTERS "\n"
			 "	umov	%1, v\\n\\().d[0]\n	eor	%1, %1, %2\n	orr	%0, %0, %1\n"
			 "	umov	%1, v\\n\\().d[1]\n	eor	%1, %1, %2\n	orr	%0, %0, %1\n"
			 "	.endr\n" : "+r"(changed), "=&r"(scratch) : "r"(pattern));
	return changed;
}

static int keep_fp_state(void *arg)
{
	unsigned long number = (unsigned long)arg, pattern = number * 0x0101010101010101ul;
	unsigned long rounding = number << FPCR_ROUNDING_SHIFT, end = this_cpu()->ticks + 30;
	int changed = 0;

	write_sysreg(fpcr, rounding);
	fill_vectors(pattern);
	while (this_cpu()->ticks < end)
		changed |= changed_vectors(pattern) != 0 || read_sysreg(fpcr) != rounding;
	return changed;
}

DEFINE_TEST(arm64_fp_state)
{
	unsigned long before = cpus[0].switches;
	struct thread *threads[4];
	int changed = 0;

	for (unsigned long i = 0; i < ARRAY_SIZE(threads); i++)
		threads[i] = thread_create("vectors", keep_fp_state, (void *)i, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(threads); i++)
		changed |= threads[i] ? thread_join(threads[i]) : 1;
	report(!changed, "four threads on one CPU keep v0-v31 and fpcr");
	report(cpus[0].switches - before >= 20, "they were switched (%lu)", cpus[0].switches - before);
}
