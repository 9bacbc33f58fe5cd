// SPDX-License-Identifier: MIT
/* The stores to text that text.c and sites.c make, inline for their loops. */
#pragma once

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"

/*
 * Every writer is compiled twice, with and without a record of its steps: the
 * loops over a batch ask once whether somebody records.
 */
static always_inline void write_byte(unsigned long addr, u8 byte, bool log)
{
	*(volatile u8 *)host_text_alias(addr) = byte;
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
}

/* Four bytes are one store. */
static always_inline void write_tail(unsigned long addr, u32 tail, bool log)
{
	*(volatile u32 *)host_text_alias(addr) = tail;
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
}

static always_inline void touch(unsigned long addr, bool log)
{
	u8 *alias = host_text_alias(addr);

	/* The value stays; locked, so that a store of another CPU is not undone. */
	__asm__ volatile("lock orb $0, %0" : "+m"(*alias) : : "memory", "cc");
	if (log)
		text_step_note(TEXT_STEP_TOUCH, addr);
}
