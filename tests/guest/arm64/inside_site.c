// SPDX-License-Identifier: MIT
/* The places in a site of arm64: before each of its words, and behind them. */
#include "tests/guest/inside_site.h"

#include "base/types.h"

const struct inside_place inside_places[] = {
	{ "at the first word", 0, 0, true, true },
	{ "between the words", 4, 0, true, true },
	{ "behind the site", 8, 0, false, true },
};
const unsigned int inside_nr_places = ARRAY_SIZE(inside_places);

/* As port_soft_irq() makes it; the function that we are moved into clobbers what a call may. */
notrace unsigned long inside_call(void (*fn)(void *arg), void *arg, unsigned int pushed)
{
	register unsigned long x0 __asm__("x0") = (unsigned long)fn;
	register void *x1 __asm__("x1") = arg;

	__asm__ volatile("svc #1"
			 : "+r"(x0), "+r"(x1) :
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
			   "x16", "x17", "x30", "memory", "cc");
	return x0;
}

/* The first word has kept the return address in x9; nobody knows it before. */
notrace void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x)
{
	regs->x[30] = regs->pc;
	regs->x[9] = place->offset ? regs->pc : 0;
	regs->pc = ip + place->offset;
	regs->x[0] = x;
}
