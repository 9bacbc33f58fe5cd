// SPDX-License-Identifier: MIT
/* The places in a site of x86-64: before its one instruction, and behind it. */
#include "tests/guest/inside_site.h"

#include "base/types.h"

#include <port/vector.h>

const struct inside_place inside_places[] = {
	{ "at the site", 0, 0, true, true },
	{ "behind the site", ARCH_INSN_BYTES, 0, false, true },
};
const unsigned int inside_nr_places = ARRAY_SIZE(inside_places);

/* The word on top of the stack becomes the return address. rdi, rsi: as port_soft_irq() has them. */
notrace unsigned long inside_call(void (*fn)(void *arg), void *arg, unsigned int pushed)
{
	unsigned long result;

	__asm__ volatile("pushq $0\n\t"
			 "int %3"
			 : "=a"(result), "+D"(fn), "+S"(arg) : "i"(VECTOR_SOFT)
			 : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
	return result;
}

notrace void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x)
{
	*(unsigned long *)regs->sp = regs->ip;
	regs->ip = ip + place->offset;
	regs->di = x;
}
