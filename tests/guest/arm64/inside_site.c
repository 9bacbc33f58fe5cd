// SPDX-License-Identifier: MIT
/* The places in a site of arm64: before each of its words, and behind them; `pg` has one word. */
#include "tests/guest/inside_site.h"

#include "base/types.h"

const struct inside_place inside_places[] = {
#ifdef FLAVOUR_pg	/* the frame of inside_tracee() stands */
	{ "at the site", 0, 4, true, true },
	{ "behind the site", 4, 4, false, true },
#else
	{ "at the first word", 0, 0, true, true },
	{ "between the words", 4, 0, true, true },
	{ "behind the site", 8, 0, false, true },
#endif
};
const unsigned int inside_nr_places = ARRAY_SIZE(inside_places);

/* As port_soft_irq() makes it; the function that we are moved into clobbers what a call may. */
notrace unsigned long inside_call(void (*fn)(void *arg), void *arg, unsigned int pushed)
{
	register unsigned long x0 __asm__("x0") = (unsigned long)fn;
	register void *x1 __asm__("x1") = arg;

	__asm__ volatile("sub sp, sp, %2, lsl #3\n\t"
			 "svc #1"
			 : "+r"(x0), "+r"(x1) : "r"((unsigned long)pushed)
			 : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
			   "x16", "x17", "x30", "memory", "cc");
	return x0;
}

#ifdef FLAVOUR_pg
notrace void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x)
{
	unsigned long *frame = (unsigned long *)regs->sp;

	frame[0] = regs->x[29];
	frame[1] = regs->pc;
	frame[2] = regs->x[19];
	regs->x[29] = regs->sp;
	regs->x[19] = x;
	regs->x[0] = regs->pc;
	regs->x[30] = regs->pc;
	regs->pc = ip + place->offset;
}
#else
/* The first word has kept the return address in x9; nobody knows it before. */
notrace void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x)
{
	regs->x[30] = regs->pc;
	regs->x[9] = place->offset ? regs->pc : 0;
	regs->pc = ip + place->offset;
	regs->x[0] = x;
}
#endif
