// SPDX-License-Identifier: MIT
/*
 * Stores to text on ARM926EJ-S. Its caches are virtual: the alias and the
 * execution address have lines of their own, and the instruction cache sees no
 * store (ARM926EJ-S TRM, DDI 0198, 2.3.9 and 9.4).
 *
 *	for each word	str				to the alias
 *			clean, invalidate D line	of the alias: the word is on its way to
 *							memory, nothing stale is left for the next use
 *			drain write buffer		it is there
 *			invalidate D line		of the execution address: later reads see it
 *			invalidate I line		likewise: later fetches
 *	once		drain write buffer
 *			branch				what the pipeline holds is dropped
 *
 * The upkeep of a line is complete before the next word, so that nothing has to
 * be remembered until the flush.
 */
#include "arch/text_step.h"

#include "a32.h"

#define LINE_BYTES	32UL

/* Emit the instruction of a step and record it: one is never there without the other. */
#define STEP(step, addr, ...) do { \
	__asm__ volatile(__VA_ARGS__); \
	text_step(step, addr); \
} while (0)

/* In: the line's first byte. Clobber nothing; "memory" keeps them behind the store. */
#define CLEAN_D(line, addr) \
	STEP(TEXT_STEP_CLEAN_D, addr, "mcr p15, 0, %0, c7, c14, 1" : : "r"(line) : "memory")
#define INVAL_D(line, addr) \
	STEP(TEXT_STEP_INVAL_D, addr, "mcr p15, 0, %0, c7, c6, 1" : : "r"(line) : "memory")
#define INVAL_I(line, addr) \
	STEP(TEXT_STEP_INVAL_I, addr, "mcr p15, 0, %0, c7, c5, 1" : : "r"(line) : "memory")

/* The register is ignored: should be zero. */
#define DRAIN()		STEP(TEXT_STEP_DRAIN, 0, "mcr p15, 0, %0, c7, c10, 4" : : "r"(0) : "memory")
#define SYNC()		STEP(TEXT_STEP_SYNC, 0, "b 1f\n1:" : : : "memory")

static inline void upkeep(unsigned long alias, unsigned long addr)
{
	CLEAN_D(ALIGN_DOWN(alias, LINE_BYTES), addr);
	DRAIN();
	INVAL_D(ALIGN_DOWN(addr, LINE_BYTES), addr);
	INVAL_I(ALIGN_DOWN(addr, LINE_BYTES), addr);
}

/* A word is one store; what else there is to write nobody executes. */
void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	volatile u8 *alias = host_text_alias(addr);

	if (len == ARCH_INSN_BYTES && addr % ARCH_INSN_BYTES == 0) {
		*(volatile u32 *)alias = a32_word(bytes);
	} else {
		for (unsigned int i = 0; i < len; i++)
			alias[i] = bytes[i];
	}
	text_step(TEXT_STEP_WRITE, addr);
	upkeep((unsigned long)alias, addr);
	/* Bytes that are not one aligned word may lie in two lines. */
	if (unlikely(arch_text_crosses(addr, len)))
		upkeep((unsigned long)alias + len - 1, addr + len - 1);
}

void arch_text_flush(void)
{
	DRAIN();
	SYNC();
}

void arch_text_sync(void)
{
	SYNC();
}

/* One CPU with interrupts off: reading and writing needs no lock. */
void arch_text_touch(unsigned long addr)
{
	volatile u8 *alias = host_text_alias(addr);

	*alias = *alias;
	text_step(TEXT_STEP_TOUCH, addr);
}
