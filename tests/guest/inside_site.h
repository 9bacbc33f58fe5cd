// SPDX-License-Identifier: MIT
/* What tests/guest/inside_site.c must know of an ISA; in tests/guest/<isa>/inside_site.c. */
#pragma once

#include "arch/arch.h"

#define INSIDE_END	~0u

/**
 * struct inside_place - a pc that a context can have in a site
 * @name: for reports
 * @offset: from the record's address
 * @pushed: words that the prologue in front of the site, and the site itself, have pushed by then
 * @before_call: the instruction that calls is still to come
 * @when_off: a context can come here while the site is off
 */
struct inside_place {
	const char *name;
	unsigned int offset, pushed;
	bool before_call, when_off;
};

extern const struct inside_place inside_places[];
extern const unsigned int inside_nr_places;

/*
 * The function with the site: counts its calls, returns x * 5 + 3. Where the site lies behind
 * the prologue it is in tests/guest/<isa>/inside_tracee.S, with a frame that is known.
 */
unsigned long inside_tracee(unsigned long x);
extern unsigned int inside_calls;

/**
 * inside_call() - fn(arg) in an interrupt, which moves us into a function
 * @pushed: words of the place to make room for
 *
 * Return: what that function returns.
 */
unsigned long inside_call(void (*fn)(void *arg), void *arg, unsigned int pushed);

/* The context of inside_call() to the place of the site at @ip, as if its function had been called with @x. */
void inside_enter(struct pt_regs *regs, unsigned long ip, const struct inside_place *place, unsigned long x);
