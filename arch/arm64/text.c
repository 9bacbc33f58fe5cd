// SPDX-License-Identifier: MIT
/*
 * Stores to text on arm64. Instruction caches do not see stores: a word must be
 * cleaned from the data cache to the point of unification, then be invalidated
 * in the instruction caches, in this order, and what a CPU has fetched already
 * is dropped by its isb (Arm ARM, DDI 0487, B2.4.4).
 *
 *	for each word	str			to the alias
 *			dc cvau, alias		data caches are looked up by physical address
 *	once		dsb ish			the cleans are complete
 *			ic ialluis		for all CPUs
 *			dsb ish			the invalidation is complete
 *			isb			this CPU's pipeline; a round does it on the others
 *
 * One broadcast invalidation serves any number of words, and no list of lines
 * has to be kept, for which writers on two CPUs would compete.
 */
#include "arch/text_step.h"

#include "a64.h"

/* Emit the instruction of a step and record it: one is never there without the other. */
#define STEP(step, addr, ...) do { \
	__asm__ volatile(__VA_ARGS__); \
	text_step(step, addr); \
} while (0)

/* In: any address of the line. Clobbers nothing; "memory" keeps it behind the store. */
#define CLEAN_D(alias, addr) \
	STEP(TEXT_STEP_CLEAN_D, addr, "dc cvau, %0" : : "r"(alias) : "memory")
#define DRAIN()		STEP(TEXT_STEP_DRAIN, 0, "dsb ish" : : : "memory")
#define INVAL_I_ALL()	STEP(TEXT_STEP_INVAL_I, 0, "ic ialluis" : : : "memory")
#define SYNC()		STEP(TEXT_STEP_SYNC, 0, "isb" : : : "memory")

/* A word is one store; what else there is to write nobody executes. */
void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	volatile u8 *alias = host_text_alias(addr);

	if (len == ARCH_INSN_BYTES && addr % ARCH_INSN_BYTES == 0) {
		*(volatile u32 *)alias = a64_word(bytes);
	} else {
		for (unsigned int i = 0; i < len; i++)
			alias[i] = bytes[i];
	}
	text_step(TEXT_STEP_WRITE, addr);
	CLEAN_D(alias, addr);
	/* Bytes that are not one aligned word may lie in two lines. */
	if (arch_text_crosses(addr, len))
		CLEAN_D(alias + len - 1, addr + len - 1);
}

void arch_text_flush(void)
{
	DRAIN();
	INVAL_I_ALL();
	DRAIN();
	SYNC();
}

void arch_text_sync(void)
{
	SYNC();
}

void arch_text_touch(unsigned long addr)
{
	u8 *alias = host_text_alias(addr);
	u32 value, failed;

	/* The value stays; exclusive, so that a store of another CPU is not undone. */
	__asm__ volatile("1: ldxrb %w0, %2\n"
			 "   stxrb %w1, %w0, %2\n"
			 "   cbnz  %w1, 1b"
			 : "=&r"(value), "=&r"(failed), "+Q"(*alias) : : "memory");
	text_step(TEXT_STEP_TOUCH, addr);
}
