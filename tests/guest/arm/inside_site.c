// SPDX-License-Identifier: MIT
/* The places in a site of ARMv5: before each of its words, and behind them. */
#include "tests/guest/inside_site.h"

#include "base/types.h"

#include <port/entry.h>

#ifdef FLAVOUR_pg
#define PROLOGUE	2	/* words of inside_tracee()'s frame */
#else
#define PROLOGUE	0
#endif

/* Off branches over the second word: who stands before it came while the site was on. */
const struct inside_place inside_places[] = {
	{ "at the first word", 0, PROLOGUE, true, true },
	{ "between the words", 4, PROLOGUE + 1, true, false },
	{ "behind the site", 8, PROLOGUE, false, true },
};
const unsigned int inside_nr_places = ARRAY_SIZE(inside_places);

/* As port_soft_irq() makes it; site and epilogue take the words back, so sp is as before. */
notrace unsigned long inside_call(void (*fn)(void *arg), void *arg, unsigned int pushed)
{
	register unsigned long r0 __asm__("r0") = (unsigned long)fn;
	register void *r1 __asm__("r1") = arg;

	__asm__ volatile("sub sp, sp, %2, lsl #2\n\t"
			 "svc %3"
			 : "+r"(r0), "+r"(r1)
			 : "r"(pushed), "i"(SWI_SOFT_IRQ)
			 : "r2", "r3", "ip", "lr", "memory", "cc");
	return r0;
}

notrace void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x)
{
	unsigned long *frame = (unsigned long *)regs->sp;

	if (place->pushed > PROLOGUE)
		*frame++ = regs->pc;
	if (PROLOGUE) {
		frame[0] = regs->r[4];
		frame[1] = regs->pc;
		regs->r[4] = x;
	}
	regs->lr = regs->pc;
	regs->pc = ip + place->offset;
	regs->r[0] = x;
}
