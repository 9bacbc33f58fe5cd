// SPDX-License-Identifier: MIT
/* The stores to text that text.c and sites.c make, inline for their loops. */
#pragma once

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"

/* In: any address of the line. Clobbers nothing; "memory" keeps it behind the store. */
#define CLEAN_D(log, alias, addr) \
	STEP(log, TEXT_STEP_CLEAN_D, addr, "dc cvau, %0" : : "r"(alias) : "memory")

/* One store: a context sees the old word or the new one. Return: lines that were cleaned. */
static always_inline unsigned int write_word(unsigned long addr, u32 word, bool log)
{
	unsigned long alias = (unsigned long)host_text_alias(addr);

	*(volatile u32 *)alias = word;
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
	CLEAN_D(log, alias, addr);
	return 1;
}

static always_inline void touch(unsigned long addr, bool log)
{
	u8 *alias = host_text_alias(addr);
	u32 value, failed;

	/* The value stays; exclusive, so that a store of another CPU is not undone. */
	__asm__ volatile("1: ldxrb %w0, %2\n"
			 "   stxrb %w1, %w0, %2\n"
			 "   cbnz  %w1, 1b"
			 : "=&r"(value), "=&r"(failed), "+Q"(*alias) : : "memory");
	if (log)
		text_step_note(TEXT_STEP_TOUCH, addr);
}
