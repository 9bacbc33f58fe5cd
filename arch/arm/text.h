// SPDX-License-Identifier: MIT
/* The stores to text that text.c and sites.c make, inline for their loops. */
#pragma once

#include "arch/arch.h"
#include "arch/text_step.h"
#include "base/host.h"

#define LINE_BYTES	32UL

/* In: the line's first byte. Clobber nothing; "memory" keeps them behind the store. */
#define CLEAN_D(log, line, addr) STEP(log, TEXT_STEP_CLEAN_D, addr, \
	"mcr p15, 0, %0, c7, c14, 1" : : "r"(line) : "memory")
#define INVAL_D(log, line, addr) STEP(log, TEXT_STEP_INVAL_D, addr, \
	"mcr p15, 0, %0, c7, c6, 1" : : "r"(line) : "memory")
#define INVAL_I(log, line, addr) STEP(log, TEXT_STEP_INVAL_I, addr, \
	"mcr p15, 0, %0, c7, c5, 1" : : "r"(line) : "memory")

/* The register is ignored: should be zero. */
#define DRAIN(log)	STEP(log, TEXT_STEP_DRAIN, 0, "mcr p15, 0, %0, c7, c10, 4" : : "r"(0) : "memory")

#define LINE(addr)	ALIGN_DOWN(addr, LINE_BYTES)

#define LINE_OPS	3U	/* cache operations of upkeep() */

static always_inline void upkeep(unsigned long line, bool log)
{
	CLEAN_D(log, LINE((unsigned long)host_text_alias(line)), line);
	DRAIN(log);
	INVAL_D(log, line, line);
	INVAL_I(log, line, line);
}

/* One store: a context sees the old word or the new one. Return: lines it lies in. */
static always_inline unsigned int write_word(unsigned long addr, u32 word, bool log)
{
	*(volatile u32 *)host_text_alias(addr) = word;
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
	upkeep(LINE(addr), log);
	return 1;
}

/* Two words one after the other, which mostly lie in one line. Return: do they lie in two? */
static always_inline bool write_pair(unsigned long addr, u32 first, u32 second, bool log)
{
	volatile u32 *alias = host_text_alias(addr);
	u32 word_bits = LINE_BYTES - 4;

	/* In a register: then the test below is one instruction. */
	__asm__("" : "+r"(word_bits));
	alias[0] = first;
	alias[1] = second;
	if (log) {
		text_step_note(TEXT_STEP_WRITE, addr);
		text_step_note(TEXT_STEP_WRITE, addr + 4);
	}
	upkeep(LINE(addr), log);
	/* The line's last word: all bits that count words in a line are set. */
	if (likely(word_bits & ~addr))
		return false;
	upkeep(LINE(addr) + LINE_BYTES, log);
	return true;
}

/* One CPU with interrupts off: reading and writing needs no lock. */
static always_inline void touch(unsigned long addr, bool log)
{
	volatile u8 *alias = host_text_alias(addr);

	*alias = *alias;
	if (log)
		text_step_note(TEXT_STEP_TOUCH, addr);
}
