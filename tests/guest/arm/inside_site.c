// SPDX-License-Identifier: MIT
/* The places in a site of ARMv5: before each of its words, and behind them. */
#include "tests/guest/inside_site.h"

#include "base/types.h"

#include <port/entry.h>

/* Off branches over the second word: who stands before it came while the site was on. */
const struct inside_place inside_places[] = {
	{ "at the first word", 0, 0, true, true },
	{ "between the words", 4, 1, true, false },
	{ "behind the site", 8, 0, false, true },
};
const unsigned int inside_nr_places = ARRAY_SIZE(inside_places);

/* As port_soft_irq() makes it; the site takes the word back, so sp is as before. */
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
	if (place->pushed)
		*(unsigned long *)regs->sp = regs->pc;
	regs->lr = regs->pc;
	regs->pc = ip + place->offset;
	regs->r[0] = x;
}
