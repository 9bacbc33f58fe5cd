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
#include "text.h"

#include "a64.h"
#include "base/bug.h"

#define DRAIN(log)	STEP(log, TEXT_STEP_DRAIN, 0, "dsb ish" : : : "memory")
#define INVAL_I_ALL(log) STEP(log, TEXT_STEP_INVAL_I, 0, "ic ialluis" : : : "memory")
#define SYNC(log)	STEP(log, TEXT_STEP_SYNC, 0, "isb" : : : "memory")

/* What is not one aligned word nobody executes while it is written. Return: lines it lies in. */
static always_inline unsigned int write_bytes(unsigned long addr, const u8 *bytes, unsigned int len, bool log)
{
	volatile u8 *alias = host_text_alias(addr);
	unsigned int i = 0;

	do
		alias[i] = bytes[i];
	while (++i < len);
	if (log)
		text_step_note(TEXT_STEP_WRITE, addr);
	CLEAN_D(log, alias, addr);
	if (!arch_text_crosses(addr, len))
		return 1;
	CLEAN_D(log, alias + len - 1, addr + len - 1);
	return 2;
}

static inline bool is_word(unsigned long addr, unsigned int len)
{
	return len == ARCH_INSN_BYTES && addr % ARCH_INSN_BYTES == 0;
}

static always_inline void write_any(unsigned long addr, const u8 *bytes, unsigned int len, bool log)
{
	if (is_word(addr, len))
		write_word(addr, a64_word(bytes), log);
	else
		write_bytes(addr, bytes, len, log);
}

void arch_text_write(unsigned long addr, const u8 *bytes, unsigned int len)
{
	if (unlikely(text_step_log))
		write_any(addr, bytes, len, true);
	else
		write_any(addr, bytes, len, false);
}

/* An aligned word is one store anyhow. */
void arch_text_write_atomic(unsigned long addr, const u8 *bytes, unsigned int len)
{
	arch_text_write(addr, bytes, len);
}

/* Return: lines that were cleaned. */
static always_inline unsigned int write_pokes(const struct text_poke *poke, const struct text_poke *end,
					      enum text_part part, bool log)
{
	unsigned int lines = 0;

	for (; poke < end; poke++) {
		if (part == TEXT_PART_TOUCH)
			touch(poke->addr, log);
		else if (likely(is_word(poke->addr, poke->len)))
			lines += write_word(poke->addr, *(const u32 *)poke->new, log);
		else
			lines += write_bytes(poke->addr, poke->new, poke->len, log);
	}
	return lines;
}

/* No method here writes less than a whole change. */
void arch_text_write_part(const struct text_poke *poke, const struct text_poke *end,
			  enum text_part part)
{
	BUG_ON(part > TEXT_PART_TOUCH);
	if (unlikely(text_step_log))
		text_cache_ops += write_pokes(poke, end, part, true);
	else
		text_cache_ops += write_pokes(poke, end, part, false);
}

static always_inline void flush(bool log)
{
	DRAIN(log);
	INVAL_I_ALL(log);
	DRAIN(log);
	SYNC(log);
}

void arch_text_flush(void)
{
	if (unlikely(text_step_log))
		flush(true);
	else
		flush(false);
}

void arch_text_sync(void)
{
	if (unlikely(text_step_log))
		SYNC(true);
	else
		SYNC(false);
}

void arch_text_touch(unsigned long addr)
{
	touch(addr, text_step_log);
}
